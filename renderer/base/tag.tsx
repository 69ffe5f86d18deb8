import { Badge } from '@mantine/core'

/** One word about a thing, beside its name. */
export function Tag({ children, title }: { children: string; title?: string | undefined }) {
  return (
    <Badge size="sm" radius="sm" variant="default" tt="none" fw={500} flex="none" title={title}>
      {children}
    </Badge>
  )
}
