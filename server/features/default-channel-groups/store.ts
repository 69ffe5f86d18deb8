import type { Reader, Tx } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import { isGuest } from '../users/roles.ts'

/** Channels that a newcomer may choose together, as clients see them. */
export interface DefaultChannelGroup {
  id: number
  name: string
  description: string
  /** Ids, ascending. */
  streams: number[]
}

/** By name. */
export function allGroups(db: Reader): DefaultChannelGroup[] {
  const groups = db.all(
    db.q.selectFrom('default_channel_groups').select(['id', 'name', 'description']).orderBy('name'),
  )
  const rows = db.all(
    db.q
      .selectFrom('default_channel_group_channels')
      .select(['group_id', 'channel_id'])
      .orderBy('channel_id'),
  )
  return groups.map((group) => ({
    ...group,
    streams: rows.filter((row) => row.group_id === group.id).map((row) => row.channel_id),
  }))
}

/** Guests do not learn which channels there are. */
export const defaultChannelGroupsFor = (db: Reader, me: User): DefaultChannelGroup[] =>
  isGuest(me) ? [] : allGroups(db)

export function addChannels(tx: Tx, group_id: number, channelIds: readonly number[]): void {
  for (const channel_id of channelIds) tx.insert('default_channel_group_channels', { group_id, channel_id })
}

export function removeChannels(tx: Tx, groupId: number, channelIds: readonly number[]): void {
  tx.run(
    tx.q
      .deleteFrom('default_channel_group_channels')
      .where('group_id', '=', groupId)
      .where('channel_id', 'in', channelIds),
  )
}

/** Answers whether it was in any. */
export const removeChannelEverywhere = (tx: Tx, channelId: number): boolean =>
  tx.run(tx.q.deleteFrom('default_channel_group_channels').where('channel_id', '=', channelId)) > 0
