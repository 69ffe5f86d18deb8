import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useSlashToSearch } from './use-slash.ts'

interface Props {
  label: string
  /** What is searched: "Search by name or email". */
  placeholder: string
  value: string
  onChange: (value: string) => void
}

/** The search field above a table; `/` jumps to it. */
export function Search({ label, placeholder, value, onChange }: Props) {
  const input = useSlashToSearch()
  const clear = <CloseButton size="sm" aria-label="Clear the search" onClick={() => onChange('')} />
  return (
    <TextInput
      ref={input}
      w={{ base: '100%', xs: 280 }}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      rightSection={value && clear}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
