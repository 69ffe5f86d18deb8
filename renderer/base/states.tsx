import { Box, Button, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messageOf } from './notify.tsx'
import classes from './states.module.css'

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
    <div role="status" className={classes.skeleton}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={classes.head}>
        <Skeleton h={9} w={72} />
      </div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <Skeleton circle h={34} w={34} />
          <Box flex={1}>
            <Skeleton h={10} w={`${18 + ((row * 17) % 14)}%`} miw={96} mb={8} />
            <Skeleton h={8} w={`${14 + ((row * 11) % 10)}%`} miw={72} />
          </Box>
          <Skeleton h={10} w={80} visibleFrom="xs" />
          <Skeleton h={10} w={60} visibleFrom="sm" />
        </div>
      ))}
    </div>
  )
}
