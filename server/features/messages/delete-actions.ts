/** Deleting messages, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { correctFirstMessage } from '../channels/activity.ts'
import { channelById } from '../channels/store.ts'
import { releaseUploads } from '../uploads/actions.ts'
import { groupBy, reachOf } from './audience.ts'
import { dropUnusedReaderLists, type Place, placesOf } from './store.ts'

/** Deletes messages with all that hangs on them. One event for each channel topic or direct conversation. */
export function deleteMessages(ctx: RealmContext, tx: Tx, ids: readonly number[]): void {
  const groups = groupBy(placesOf(tx, ids), ({ conversation_id, topic }) => `${conversation_id} ${topic}`)
  for (const places of groups.values()) {
    const { channel_id, topic } = places[0] as Place
    const message_ids = places.map(({ id }) => id)
    const channel = channel_id === null ? null : (channelById(tx, channel_id) ?? null)
    const reach = reachOf(ctx, tx, channel, message_ids)
    releaseUploads(tx, message_ids)
    tx.runSql('DELETE FROM messages WHERE realm_id = :realm AND id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(message_ids),
    ])
    announceDeleted(
      tx,
      channel_id,
      topic,
      groupBy(reach.userIds, (userId) => reach.idsFor(userId)),
    )
    if (channel_id !== null) correctFirstMessage(ctx, tx, channel_id)
  }
  dropUnusedReaderLists(tx)
}

/** @param usersByIds who is told of which messages */
export function announceDeleted(
  tx: Tx,
  channelId: number | null,
  topic: string,
  usersByIds: ReadonlyMap<readonly number[], number[]>,
): void {
  for (const [ids, to] of usersByIds) {
    const message_ids = [...ids]
    if (message_ids.length === 0) continue
    tx.emit(
      channelId === null
        ? { type: 'delete_message', message_type: 'private', message_ids }
        : { type: 'delete_message', message_type: 'stream', stream_id: channelId, topic, message_ids },
      { to },
    )
  }
}
