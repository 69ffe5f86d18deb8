import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import classes from './page.module.css'

interface Props {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** The page that this one was reached from, where this is about one thing of many. */
  back?: { to: string; label: string }
  children: ReactNode
}

let pagesOpened = 0

/** A page's frame: its title names the window, and takes the focus when one moves between pages. */
export function Page({ title, description, actions, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  useEffect(() => {
    // Not on the first page: there the reader starts at the top, with the skip link.
    if (pagesOpened++ > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={classes.page}>
      {back && (
        <Anchor component={Link} href={back.to} className={classes.back} size="sm">
          <IconChevronLeft size={16} aria-hidden="true" />
          {back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="center" gap="md" mb="lg">
        <Box miw={0}>
          <Title order={1} size={24} lh={1.25} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description && (
            <Text component="div" c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="sm" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </div>
  )
}
