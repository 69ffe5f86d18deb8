import { IconShieldHalf, IconUsersGroup } from '@tabler/icons-react'
import { IconTile } from '../../base/named.tsx'
import type { Group } from '../../live.ts'

export function GroupIcon({ group }: { group: Group }) {
  const Icon = group.is_system_group ? IconShieldHalf : IconUsersGroup
  return (
    <IconTile>
      <Icon size={18} />
    </IconTile>
  )
}
