import { Avatar, Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { initialsOf } from './format.ts'
import classes from './person.module.css'

interface Props {
  id: number
  name: string
  email: string
  badges?: ReactNode
  muted?: boolean
}

const HUES = 8

export function PersonAvatar({ id, name }: { id: number; name: string }) {
  return (
    <Avatar size={34} radius="xl" className={classes.avatar} data-hue={id % HUES} aria-hidden>
      {initialsOf(name)}
    </Avatar>
  )
}

export function Person({ id, name, email, badges, muted }: Props) {
  return (
    <div className={classes.place}>
      <Group gap="sm" wrap="nowrap" miw={0} className={classes.person} data-muted={muted || undefined}>
        <PersonAvatar id={id} name={name} />
        <Box miw={0}>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" fw={500} className="clip" title={name}>
              {name}
            </Text>
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
