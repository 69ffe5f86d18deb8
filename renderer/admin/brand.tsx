import { Group, Text } from '@mantine/core'
import { Mark } from '../base/mark.tsx'

export function Brand() {
  return (
    <Group gap={10} px={20} h={60} wrap="nowrap">
      <Mark size={28} />
      <Text fw={650} size="lg" lts="-0.02em">
        Parley
      </Text>
    </Group>
  )
}
