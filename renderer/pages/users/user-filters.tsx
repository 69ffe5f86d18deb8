import { Group, MultiSelect } from '@mantine/core'
import { Search } from '../../base/search.tsx'
import { StandingControl } from '../../base/standing.tsx'
import { roles } from './roles.ts'
import type { UserFilter } from './select-users.ts'

interface Props {
  filter: UserFilter
  onChange: (filter: UserFilter) => void
}

export function UserFilters({ filter, onChange }: Props) {
  return (
    <Group gap="sm" mb="md">
      <Search
        label="Search users"
        placeholder="Search by name or email"
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <MultiSelect
        w={{ base: '100%', xs: 220 }}
        aria-label="Filter by role"
        placeholder={filter.roles.length === 0 ? 'Any role' : undefined}
        data={roles.map(({ value, label }) => ({ value: String(value), label }))}
        value={filter.roles.map(String)}
        onChange={(chosen) => onChange({ ...filter, roles: chosen.map(Number) })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any role' }}
        comboboxProps={{ shadow: 'md' }}
      />
      <StandingControl
        label="Which users"
        value={filter.standing}
        onChange={(standing) => onChange({ ...filter, standing })}
      />
    </Group>
  )
}
