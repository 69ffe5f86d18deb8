import { Tooltip } from '@mantine/core'
import { IconHash, IconLock, IconWorld } from '@tabler/icons-react'
import { IconTile } from '../../base/named.tsx'
import type { Channel } from '../../live.ts'
import { privacyOf } from './select-channels.ts'

const looks = {
  public: { icon: IconHash, label: 'Public: every member may join' },
  private: { icon: IconLock, label: 'Private: only by invitation' },
  'web-public': { icon: IconWorld, label: 'Web-public: readable without an account' },
} as const

export function PrivacyIcon({ channel }: { channel: Channel }) {
  const { icon: Icon, label } = looks[privacyOf(channel)]
  return (
    <Tooltip label={label}>
      <IconTile label={label}>
        <Icon size={18} />
      </IconTile>
    </Tooltip>
  )
}
