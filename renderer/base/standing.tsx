import { SegmentedControl } from '@mantine/core'

export type Standing = 'active' | 'deactivated' | 'all'

interface Props {
  /** "Which users". */
  label: string
  value: Standing
  onChange: (standing: Standing) => void
}

/** Which of those that can be deactivated are listed. */
export function StandingControl({ label, value, onChange }: Props) {
  return (
    <SegmentedControl
      ml={{ md: 'auto' }}
      w={{ base: '100%', xs: 'auto' }}
      aria-label={label}
      value={value}
      onChange={onChange}
      data={[
        { value: 'active', label: 'Active' },
        { value: 'deactivated', label: 'Deactivated' },
        { value: 'all', label: 'All' },
      ]}
    />
  )
}
