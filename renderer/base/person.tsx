import { Anchor, Avatar, Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { onThisOrigin } from './address.ts'
import { initialsOf } from './format.ts'
import classes from './person.module.css'

interface Props {
  id: number
  name: string
  email: string
  badges?: ReactNode
  muted?: boolean
  /** Address of the picture, where there is one. */
  picture?: string | null
  /** The page about this person. */
  to?: string
}

const HUES = 8

interface AvatarProps {
  id: number
  name: string
  picture?: string | null | undefined
  size?: number
}

export function PersonAvatar({ id, name, picture, size = 34 }: AvatarProps) {
  return (
    <Avatar
      size={size}
      radius={size}
      src={picture && onThisOrigin(picture)}
      className={classes.avatar}
      data-hue={id % HUES}
      style={{ '--initials': `${Math.max(12.5, size * 0.34)}px` }}
      aria-hidden
    >
      {initialsOf(name)}
    </Avatar>
  )
}

export function Person({ id, name, email, badges, muted, picture, to }: Props) {
  return (
    <div className={classes.place}>
      <Group gap="sm" wrap="nowrap" miw={0} className={classes.person} data-muted={muted || undefined}>
        <PersonAvatar id={id} name={name} picture={picture} />
        <Box miw={0}>
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
          <Text size="xs" c="dimmed" className="clip" title={email}>
            {email}
          </Text>
        </Box>
      </Group>
    </div>
  )
}
