import { IconShieldHalf, IconUsersGroup } from '@tabler/icons-react'
import type { Group } from '../../live.ts'
import classes from './groups.module.css'

export function GroupIcon({ group }: { group: Group }) {
  const Icon = group.is_system_group ? IconShieldHalf : IconUsersGroup
  return (
    <span className={classes.icon} aria-hidden="true">
      <Icon size={18} />
    </span>
  )
}
