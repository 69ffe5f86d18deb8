import { Avatar } from '@mantine/core'
import type { ReactNode } from 'react'
import { onThisOrigin } from './address.ts'
import { initialsOf } from './format.ts'
import { Named } from './named.tsx'
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
    <div className={`${classes.place} ${classes.person}`} data-muted={muted || undefined}>
      <Named
        icon={<PersonAvatar id={id} name={name} picture={picture} />}
        name={name}
        {...(to !== undefined && { to })}
        badges={badges}
        detail={email}
      />
    </div>
  )
}
