import type { GroupSettingValue, PermissionSetting } from '../../server/contract.ts'
import type { Group, RealmState } from '../live.ts'
import { mayHold } from './groups.ts'
import { PrincipalSelect, type Principals } from './principals.tsx'

interface Props {
  label: string
  description?: string
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
  const shown = principalsIn(value)
  const isEmpty = shown.groups.length + shown.users.length === 0
  return (
    <PrincipalSelect
      {...props}
      state={state}
      groups={choosable}
      users={people}
      value={isEmpty && nobody && rules.allow_nobody_group ? { users: [], groups: [nobody.id] } : shown}
      onChange={(next) => onChange(valueOf(shown, next, rules, nobody))}
      error={error ?? (isEmpty && !rules.allow_nobody_group && 'Choose at least one.')}
      placeholder={isEmpty && !rules.allow_nobody_group ? 'Choose who' : undefined}
      aria-required={!rules.allow_nobody_group}
    />
  )
}

const isNobody = (group: Group): boolean => group.is_system_group && group.name === 'role:nobody'

function principalsIn(value: GroupSettingValue): Principals {
  return typeof value === 'number'
    ? { users: [], groups: [value] }
    : { users: value.direct_members, groups: value.direct_subgroups }
}

/** Whoever is chosen ends "Nobody", and nobody chosen is "Nobody". */
function valueOf(
  before: Principals,
  next: Principals,
  rules: PermissionSetting,
  nobody: Group | undefined,
): GroupSettingValue {
  let { users, groups } = next
  if (nobody && groups.includes(nobody.id)) {
    if (!before.groups.includes(nobody.id) && groups.length + users.length > 1) return nobody.id
    if (groups.length + users.length > 1) groups = groups.filter((id) => id !== nobody.id)
  }
  // Only one role at a time where nothing but a role is allowed.
  if (rules.require_system_group && groups.length > 1) groups = groups.slice(-1)
  const [only] = groups
  if (users.length === 0 && groups.length === 1 && only !== undefined) return only
  if (users.length + groups.length === 0 && nobody && rules.allow_nobody_group) return nobody.id
  return { direct_members: [...users].sort(ascending), direct_subgroups: [...groups].sort(ascending) }
}

const ascending = (a: number, b: number) => a - b

export const isSameValue = (a: GroupSettingValue, b: GroupSettingValue): boolean =>
  JSON.stringify(a) === JSON.stringify(b)
