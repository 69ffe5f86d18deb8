import { Select, type SelectProps } from '@mantine/core'
import type { RealmState } from '../../live.ts'

/** Who answers for a bot: anybody who is active and no bot. */
export function OwnerSelect({ state, ...props }: { state: RealmState } & Omit<SelectProps, 'data'>) {
  const people = [...state.users.values()]
    .filter((user) => user.is_active && !user.is_bot)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <Select
      label="Owner"
      data={people.map((user) => ({ value: String(user.user_id), label: user.full_name }))}
      searchable
      limit={60}
      allowDeselect={false}
      nothingFoundMessage="Nobody of that name"
      comboboxProps={{ shadow: 'md' }}
      {...props}
    />
  )
}
