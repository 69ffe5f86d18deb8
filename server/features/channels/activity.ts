/** What changes about a channel by what is written in it, and who hears of that: whoever sees the channel. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { idsWhoMaySee } from './audience.ts'
import { ACTIVE_DAYS } from './present.ts'
import { type Channel, channelById, countMessage, dayOf, updateChannel } from './store.ts'

/** Counts a message that was sent to a channel. The first one after half a year makes the channel active again. */
export function noteMessage(
  ctx: RealmContext,
  tx: Tx,
  channel: Channel,
  id: number,
  timestamp: number,
): void {
  // Clients see by the message itself that it is the first.
  if (channel.first_message_id === null) updateChannel(tx, channel.id, { first_message_id: id })
  const isFirstOfDay = countMessage(tx, channel.id, timestamp)
  if (!isFirstOfDay || dayOf(timestamp) - dayOf(channel.date_created) <= ACTIVE_DAYS) return
  const [recent] = tx.sql(
    'SELECT 1 FROM channel_traffic WHERE realm_id = :realm AND channel_id = ? AND day >= ? AND day <> ? LIMIT 1',
    [channel.id, dayOf(tx.now) - ACTIVE_DAYS, dayOf(timestamp)],
  )
  if (!recent) tell(ctx, tx, channel, 'is_recently_active', true)
}

/** Brings a channel's `first_message_id` up to date after messages have left or joined it. */
export function correctFirstMessage(ctx: RealmContext, tx: Tx, channelId: number): void {
  const [oldest] = tx.sql<{ id: number | null }>(
    `SELECT MIN(m.id) AS id FROM messages m
      WHERE m.conversation_id = (SELECT id FROM conversations WHERE channel_id = ?) AND m.realm_id = :realm`,
    [channelId],
  )
  const first_message_id = oldest?.id ?? null
  const channel = channelById(tx, channelId)
  if (!channel || channel.first_message_id === first_message_id) return
  updateChannel(tx, channelId, { first_message_id })
  tell(ctx, tx, channel, 'first_message_id', first_message_id)
}

/** Tells of the channels that ceased to be active today, by nothing having been written in them. Call it daily. */
export function tellOfQuietChannels(ctx: RealmContext, tx: Tx): void {
  const since = dayOf(tx.now) - ACTIVE_DAYS
  const quiet = tx.sql<Channel>(
    `SELECT c.* FROM channels c
      WHERE c.realm_id = :realm AND c.is_archived = 0 AND ? = MAX(c.date_created / 86400, COALESCE(
        (SELECT MAX(t.day) FROM channel_traffic t WHERE t.channel_id = c.id), 0))`,
    [since - 1],
  )
  for (const channel of quiet) tell(ctx, tx, channel, 'is_recently_active', false)
}

function tell(
  ctx: RealmContext,
  tx: Tx,
  channel: Channel,
  property: 'first_message_id' | 'is_recently_active',
  value: number | boolean | null,
): void {
  if (channel.is_archived) return
  const { id: stream_id, name } = channel
  const to = [...idsWhoMaySee(ctx, tx, channel)]
  tx.emit({ type: 'stream', op: 'update', stream_id, name, property, value }, { to })
}
