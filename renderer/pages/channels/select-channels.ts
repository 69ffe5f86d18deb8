// Which channels the table shows, in which order.

import type { Order } from '../../base/table.tsx'
import type { Channel } from '../../live.ts'
import { plain } from '../../base/format.ts'

export type Privacy = 'public' | 'private' | 'web-public'
export type ChannelColumn = 'name' | 'subscribers' | 'date_created'

export interface ChannelFilter {
  search: string
  privacy: Privacy | null
  archived: boolean
}

export type ChannelOrder = Order<ChannelColumn>

export function privacyOf(channel: Pick<Channel, 'invite_only' | 'is_web_public'>): Privacy {
  if (channel.invite_only) return 'private'
  return channel.is_web_public ? 'web-public' : 'public'
}

export function selectChannels(
  channels: Iterable<Channel>,
  filter: ChannelFilter,
  order: ChannelOrder,
): Channel[] {
  const words = plain(filter.search).split(/\s+/).filter(Boolean)
  return [...channels]
    .filter(
      (channel) =>
        channel.is_archived === filter.archived &&
        (filter.privacy === null || privacyOf(channel) === filter.privacy) &&
        words.every((word) => plain(`${channel.name} ${channel.description}`).includes(word)),
    )
    .sort((a, b) => (order.direction === 'asc' ? 1 : -1) * compare(a, b, order.columnAccessor))
}

function compare(a: Channel, b: Channel, column: ChannelColumn): number {
  const first =
    column === 'subscribers'
      ? (a.subscribers?.length ?? 0) - (b.subscribers?.length ?? 0)
      : column === 'date_created'
        ? a.date_created - b.date_created
        : 0
  return first || a.name.localeCompare(b.name) || a.stream_id - b.stream_id
}
