/** Deleting messages, and who hears of it. */
import type { Tx } from '../../db/transaction.ts'
import { releaseUploads } from '../uploads/actions.ts'
import { channelById, subscriberIds, updateChannel } from '../channels/store.ts'

import { placesOf, type Place } from './store.ts'

/** Deletes messages with all that hangs on them. One event for each channel topic or direct conversation. */
export function deleteMessages(tx: Tx, ids: readonly number[]): void {
  const groups = new Map<string, Place[]>()
  for (const place of placesOf(tx, ids)) {
    const key = `${place.conversation_id} ${place.topic}`
    groups.set(key, [...(groups.get(key) ?? []), place])
  }
  for (const places of groups.values()) {
    const [first] = places
    if (!first) continue
    const message_ids = places.map(({ id }) => id)
    const to = audienceOf(tx, first, message_ids)
    releaseUploads(tx, message_ids)
    tx.runSql('DELETE FROM messages WHERE realm_id = :realm AND id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(message_ids),
    ])
    const { channel_id, topic } = first
    tx.emit(
      channel_id === null
        ? { type: 'delete_message', message_type: 'private', message_ids }
        : { type: 'delete_message', message_type: 'stream', stream_id: channel_id, topic, message_ids },
      { to },
    )
    if (channel_id !== null) correctFirstMessage(tx, channel_id, first.conversation_id)
  }
}

/** Whoever received one of the messages, or is subscribed now and may have fetched it. */
function audienceOf(tx: Tx, place: Place, messageIds: readonly number[]): number[] {
  const received = tx.sql<{ user_id: number }>(
    `SELECT DISTINCT s.user_id FROM spans s JOIN users u ON u.id = s.user_id AND u.is_active = 1
      WHERE s.realm_id = :realm AND s.conversation_id = ? AND s.from_id < ? AND (s.to_id IS NULL OR s.to_id >= ?)`,
    [place.conversation_id, Math.max(...messageIds), Math.min(...messageIds)],
  )
  const subscribed = place.channel_id === null ? [] : subscriberIds(tx, place.channel_id)
  return [...new Set([...received.map((row) => row.user_id), ...subscribed])]
}

function correctFirstMessage(tx: Tx, channelId: number, conversationId: number): void {
  const [oldest] = tx.sql<{ id: number | null }>(
    'SELECT MIN(id) AS id FROM messages WHERE conversation_id = ? AND realm_id = :realm',
    [conversationId],
  )
  const first_message_id = oldest?.id ?? null
  if (channelById(tx, channelId)?.first_message_id !== first_message_id) {
    updateChannel(tx, channelId, { first_message_id })
  }
}
