import { CloseButton, Group, MultiSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useSlashToSearch } from '../../base/use-slash.ts'
import { roles } from './roles.ts'
import type { Standing, UserFilter } from './select-users.ts'

interface Props {
  filter: UserFilter
  onChange: (filter: UserFilter) => void
}

export function UserFilters({ filter, onChange }: Props) {
  const search = useSlashToSearch()
  return (
    <Group gap="sm" mb="md">
      <TextInput
        ref={search}
        w={{ base: '100%', xs: 280 }}
        aria-label="Search users"
        placeholder="Search by name or email"
        leftSection={<IconSearch size={16} />}
        rightSection={
          filter.search && (
            <CloseButton
              size="sm"
              aria-label="Clear the search"
              onClick={() => onChange({ ...filter, search: '' })}
            />
          )
        }
        value={filter.search}
        onChange={(event) => onChange({ ...filter, search: event.currentTarget.value })}
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
