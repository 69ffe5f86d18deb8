// Users and groups to choose from, in one list with search.

import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import type { Group, RealmState, User } from '../live.ts'
import { plain } from './format.ts'
import { groupDescription, groupLabel } from './groups.ts'

export interface Principals {
  users: number[]
  groups: number[]
}

const keyOfUser = (id: number) => `u${id}`
const keyOfGroup = (id: number) => `g${id}`

const keysOf = ({ users, groups }: Principals): string[] => [
  ...groups.map(keyOfGroup),
  ...users.map(keyOfUser),
]

function principalsOf(keys: readonly string[]): Principals {
  const ids = (kind: string) => keys.filter((key) => key[0] === kind).map((key) => Number(key.slice(1)))
  return { users: ids('u'), groups: ids('g') }
}

type Props = Omit<MultiSelectProps, 'data' | 'value' | 'onChange' | 'renderOption' | 'filter'> & {
  state: RealmState
  /** Those to choose from; whoever is chosen already is shown too. */
  users: readonly User[]
  groups: readonly Group[]
  value: Principals
  onChange: (value: Principals) => void
}

/** More at once nobody reads: typing narrows it down. */
const SHOWN = 60

export function PrincipalSelect({ state, users, groups, value, onChange, ...props }: Props) {
  const chosenUsers = value.users.map((id) => state.users.get(id)).filter((user) => user !== undefined)
  const chosenGroups = value.groups.map((id) => state.groups.get(id)).filter((group) => group !== undefined)
  const allGroups = [...new Set([...groups, ...chosenGroups])]
  const system = allGroups.filter((group) => group.is_system_group)
  const custom = byName(allGroups.filter((group) => !group.is_system_group))
  const people = byName([...new Set([...users, ...chosenUsers])])
  const data = [
    { group: 'Roles', items: system.map(groupItem) },
    { group: 'Groups', items: custom.map(groupItem) },
    { group: 'People', items: people.map(userItem) },
  ].filter(({ items }) => items.length > 0)
  return (
    <MultiSelect
      searchable
      limit={SHOWN}
      maxDropdownHeight={300}
      nothingFoundMessage="Nobody of that name"
      comboboxProps={{ shadow: 'md' }}
      hidePickedOptions
      styles={{ inputField: { minWidth: 56 } }}
      {...props}
      data={data}
      value={keysOf(value)}
      onChange={(keys) => onChange(principalsOf(keys))}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {detailOf(state, option.value)}
          </Text>
        </div>
      )}
      filter={({ options, search, limit }) => {
        const words = plain(search).split(/\s+/).filter(Boolean)
        let room = limit
        return options.flatMap((option) => {
          if (!('group' in option)) return []
          const items = option.items
            .filter((item) => {
              const text = plain(`${item.label} ${detailOf(state, item.value)}`)
              return words.every((word) => text.includes(word))
            })
            .slice(0, Math.max(0, room))
          room -= items.length
          return items.length > 0 ? [{ ...option, items }] : []
        })
      }}
    />
  )
}

const groupItem = (group: Group) => ({ value: keyOfGroup(group.id), label: groupLabel(group) })
const userItem = (user: User) => ({ value: keyOfUser(user.user_id), label: user.full_name })

/** What tells two of the same name apart. */
function detailOf(state: RealmState, key: string): string {
  const id = Number(key.slice(1))
  const group = key[0] === 'g' ? state.groups.get(id) : undefined
  if (group) return groupDescription(group)
  const user = state.users.get(id)
  return user ? (user.delivery_email ?? user.email) : ''
}

function byName<T extends Group | User>(things: readonly T[]): T[] {
  const name = (thing: T) => ('full_name' in thing ? thing.full_name : thing.name)
  return things.toSorted((a, b) => name(a).localeCompare(name(b)))
}
