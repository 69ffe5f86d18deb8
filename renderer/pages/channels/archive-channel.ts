import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { notifySuccess } from '../../base/notify.tsx'
import type { Channel } from '../../live.ts'

export function archiveChannel(client: RealmClient, channel: Channel): void {
  confirm({
    title: `Archive #${channel.name}?`,
    body: 'Nobody can post in it any more, and it leaves everybody’s list. Its messages stay. This page cannot bring it back.',
    verb: 'Archive',
    danger: true,
    action: () => client.call('DELETE', `/streams/${channel.stream_id}`),
    done: () => notifySuccess(`#${channel.name} is archived.`),
  })
}
