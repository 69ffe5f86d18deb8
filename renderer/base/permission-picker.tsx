import type { GroupSettingValue, PermissionSetting } from '../../server/contract.ts'
import type { Group, RealmState } from '../live.ts'
import { mayHold } from './groups.ts'
import { PrincipalSelect, type Principals } from './principals.tsx'

interface Props {
  /** Where it is missing, one stands elsewhere that names `id`. */
  label?: string
  description?: string
  id?: string
  'aria-describedby'?: string
  state: RealmState
  /** To whom the permission may be given at all: from `state.permissions`. */
  rules: PermissionSetting
  value: GroupSettingValue
  onChange: (value: GroupSettingValue) => void
  disabled?: boolean
  error?: string | undefined
}

/** Who may do something: a role, or any groups and people. */
export function PermissionPicker({ state, rules, value, onChange, error, ...props }: Props) {
  const { groups, users } = state
  const nobody = [...groups.values()].find(isNobody)
  const choosable = [...groups.values()].filter((group) => mayHold(group, rules))
  const people = rules.require_system_group
    ? []
    : [...users.values()].filter(
        ({ is_active, role }) => is_active && (role < 600 || rules.allow_everyone_group),
      )
  const shown = principalsIn(value, nobody)
  const isEmpty = shown.groups.length + shown.users.length === 0
  return (
    <PrincipalSelect
      {...props}
      state={state}
      groups={choosable}
      users={people}
      value={shown}
      onChange={(next) => onChange(valueOf(next, rules, groups, nobody))}
      error={error ?? (isEmpty && !rules.allow_nobody_group && 'Choose at least one.')}
      placeholder={isEmpty ? (rules.allow_nobody_group ? 'Nobody' : 'Choose who') : ''}
      aria-required={!rules.allow_nobody_group}
    />
  )
}

const isNobody = (group: Group): boolean => group.is_system_group && group.name === 'role:nobody'

/** "Nobody" is shown as what it is: nothing chosen. */
function principalsIn(value: GroupSettingValue, nobody: Group | undefined): Principals {
  if (typeof value === 'number') return { users: [], groups: value === nobody?.id ? [] : [value] }
  return { users: value.direct_members, groups: value.direct_subgroups.filter((id) => id !== nobody?.id) }
}

function valueOf(
  next: Principals,
  rules: PermissionSetting,
  all: RealmState['groups'],
  nobody: Group | undefined,
): GroupSettingValue {
  const { users } = next
  if (nobody && next.groups.includes(nobody.id)) return nobody.id
  // Roles hold one another, so that the one that was chosen last says it all.
  const role = next.groups.findLast((id) => all.get(id)?.is_system_group)
  const groups = next.groups.filter((id) => id === role || !all.get(id)?.is_system_group)
  const [only] = groups
  if (users.length === 0 && groups.length === 1 && only !== undefined) return only
  if (users.length + groups.length === 0 && nobody && rules.allow_nobody_group) return nobody.id
  return { direct_members: [...users].sort(ascending), direct_subgroups: [...groups].sort(ascending) }
}

const ascending = (a: number, b: number) => a - b

export const isSameValue = (a: GroupSettingValue, b: GroupSettingValue): boolean =>
  JSON.stringify(a) === JSON.stringify(b)
