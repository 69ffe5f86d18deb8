import { Anchor, Group, Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import classes from './named.module.css'

interface Props {
  /** An {@link IconTile}. */
  icon: ReactNode
  name: string
  /** The page about this one. */
  to?: string
  badges?: ReactNode
  detail: ReactNode
}

/** What has a name, in a cell of a table: its icon, its name, and a line about it. */
export function Named({ icon, name, to, badges, detail }: Props) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {icon}
      <div className={classes.words}>
        <Group gap={6} wrap="nowrap">
          {to === undefined ? (
            <Text size="sm" fw={500} className="clip" title={name}>
              {name}
            </Text>
          ) : (
            <Anchor component={Link} href={to} size="sm" fw={500} c="inherit" className="clip" title={name}>
              {name}
            </Anchor>
          )}
          {badges}
        </Group>
        <Text size="xs" c="dimmed" className="clip" title={typeof detail === 'string' ? detail : undefined}>
          {detail}
        </Text>
      </div>
    </Group>
  )
}

/** The ground of an icon beside a name. With a label it is a picture to be heard, without one a decoration. */
export function IconTile({ label, className = '', ...props }: { label?: string } & ComponentProps<'span'>) {
  const heard = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return <span {...heard} {...props} className={`${classes.tile} ${className}`} />
}
