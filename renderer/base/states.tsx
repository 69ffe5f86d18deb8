import { Box, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messageOf } from './notify.tsx'

interface EmptyProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Nothing here: why, and what to do about it. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap={6} px="md" py={56} ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" mb={6}>
        {icon}
      </ThemeIcon>
      <Title order={2} size="h5">
        {title}
      </Title>
      {children && (
        <Text size="sm" c="dimmed" maw={420}>
          {children}
        </Text>
      )}
      {action && <Box mt="sm">{action}</Box>}
    </Stack>
  )
}

interface FailureProps {
  title: string
  error: unknown
  onRetry: () => void
  retrying?: boolean
}

export function Failure({ title, error, onRetry, retrying = false }: FailureProps) {
  return (
    <Stack align="center" gap={6} px="md" py={56} ta="center" role="alert">
      <ThemeIcon size={48} radius="xl" variant="light" color="red" mb={6}>
        <IconAlertTriangle size={24} />
      </ThemeIcon>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" maw={420}>
        {messageOf(error)}
      </Text>
      <Button
        mt="sm"
        variant="default"
        leftSection={<IconRefresh size={16} />}
        onClick={onRetry}
        loading={retrying}
      >
        Try again
      </Button>
    </Stack>
  )
}

/** Stands where a table will be, row for row, so that nothing jumps when it arrives. */
export function TableSkeleton({ rows = 6, label }: { rows?: number; label: string }) {
  return (
    <Box role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Group
          key={row}
          h={61}
          px="md"
          gap="md"
          wrap="nowrap"
          style={{ borderBottom: '1px solid var(--parley-line)' }}
        >
          <Skeleton circle h={34} w={34} style={{ flex: 'none' }} />
          <Box flex={1}>
            <Skeleton h={10} w={`${34 + ((row * 17) % 30)}%`} mb={8} />
            <Skeleton h={8} w={`${22 + ((row * 11) % 24)}%`} />
          </Box>
          <Skeleton h={10} w={80} visibleFrom="xs" />
          <Skeleton h={10} w={60} visibleFrom="sm" />
        </Group>
      ))}
    </Box>
  )
}
