import { Group, MultiSelect, SegmentedControl } from '@mantine/core'
import { Search } from '../../base/search.tsx'
import { roles } from './roles.ts'
import type { Standing, UserFilter } from './select-users.ts'

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
      <SegmentedControl
        ml={{ md: 'auto' }}
        w={{ base: '100%', xs: 'auto' }}
        aria-label="Which users"
        value={filter.standing}
        onChange={(standing) => onChange({ ...filter, standing: standing as Standing })}
        data={[
          { value: 'active', label: 'Active' },
          { value: 'deactivated', label: 'Deactivated' },
          { value: 'all', label: 'All' },
        ]}
      />
    </Group>
  )
}
