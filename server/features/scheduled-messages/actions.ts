/** What changes about scheduled messages. Only their sender's clients hear of it. */
import type { RealmContext } from '../../context.ts'
import { bit } from '../../db/tables.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { prepareContent, type Target } from '../messages/content.ts'
import type { User } from '../users/access.ts'
import { presentScheduled } from './present.ts'
import { deleteScheduled, scheduledBy, scheduledById, type ScheduledRow, updateScheduled } from './store.ts'

/** How many messages a user may have waiting. */
export const MAX_SCHEDULED = 1000

export interface Scheduling {
  target: Target
  content: string
  /** UNIX seconds. */
  deliveryAt: number
  readBySender: boolean
  /** Name of the client. */
  client: string
}

/** @returns its id */
export function schedule(ctx: RealmContext, tx: Tx, sender: User, scheduling: Scheduling): number {
  const { target, deliveryAt, readBySender, client } = scheduling
  if (scheduledBy(tx, sender.id).length >= MAX_SCHEDULED)
    throw new BadRequestError(`There can be at most ${MAX_SCHEDULED} scheduled messages.`)
  const id = tx.insert('scheduled_messages', {
    ...columnsOf(target, sender),
    ...contentOf(ctx, tx, sender, scheduling.content, target),
    user_id: sender.id,
    delivery_at: deliveryAt,
    read_by_sender: bit(readBySender),
    client,
  })
  const added = presentScheduled(existing(tx, id), true)
  tx.emit({ type: 'scheduled_messages', op: 'add', scheduled_messages: [added] }, { to: [sender.id] })
  wake(ctx, tx)
  return id
}

/** Changes what waits; one that failed waits again. */
export function reschedule(
  ctx: RealmContext,
  tx: Tx,
  sender: User,
  row: ScheduledRow,
  changes: { target: Target; content: string; deliveryAt: number },
): void {
  const { target, content, deliveryAt } = changes
  updateScheduled(tx, row.id, {
    ...columnsOf(target, sender),
    ...contentOf(ctx, tx, sender, content, target),
    delivery_at: deliveryAt,
    failed: 0,
  })
  tellOfUpdate(tx, row)
  wake(ctx, tx)
}

export function markFailed(tx: Tx, row: ScheduledRow): void {
  updateScheduled(tx, row.id, { failed: 1 })
  tellOfUpdate(tx, row)
}

export function unschedule(tx: Tx, { id, user_id }: ScheduledRow): void {
  deleteScheduled(tx, id)
  tx.emit({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, { to: [user_id] })
}

function tellOfUpdate(tx: Tx, { id, user_id }: ScheduledRow): void {
  const scheduled_message = presentScheduled(existing(tx, id), true)
  tx.emit({ type: 'scheduled_messages', op: 'update', scheduled_message }, { to: [user_id] })
}

const wake = ({ server }: RealmContext, tx: Tx): void => tx.afterwards(() => server.delivery.wake())

function columnsOf(target: Target, sender: User) {
  if ('channel' in target) return { channel_id: target.channel.id, topic: target.topic, user_ids: null }
  const others = target.users.map(({ id }) => id).filter((id) => id !== sender.id)
  return { channel_id: null, topic: '', user_ids: JSON.stringify(others.length > 0 ? others : [sender.id]) }
}

function contentOf(ctx: RealmContext, tx: Tx, sender: User, text: string, target: Target) {
  const { content, rendered } = prepareContent(ctx, tx, sender, text, target)
  return { content, rendered_content: rendered }
}

function existing(tx: Tx, id: number): ScheduledRow {
  const row = scheduledById(tx, id)
  if (!row) throw new Error(`Scheduled message ${id} vanished`)
  return row
}
