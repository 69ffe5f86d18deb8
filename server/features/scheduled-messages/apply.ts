/** Keeps scheduled messages current. Pure: clients run it too. */
import { withItem } from '../../events/keep.ts'
import type { EventOf } from '../../events/union.ts'
import type { ScheduledMessage } from './present.ts'

export function applyToScheduled(
  part: ScheduledMessage[],
  event: EventOf<'scheduled_messages'>,
): ScheduledMessage[] {
  const put = (list: ScheduledMessage[], one: ScheduledMessage) =>
    withItem(list, one, ({ scheduled_message_id }) => scheduled_message_id)
  switch (event.op) {
    case 'add':
      return inOrder(event.scheduled_messages.reduce(put, part))
    case 'update':
      return inOrder(put(part, event.scheduled_message))
    case 'remove':
      return part.filter(({ scheduled_message_id: id }) => id !== event.scheduled_message_id)
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

/** What is due first comes first. */
const inOrder = (list: ScheduledMessage[]): ScheduledMessage[] =>
  list.toSorted(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  )
