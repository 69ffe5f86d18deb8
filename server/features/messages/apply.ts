/** Keeps the list of starred messages current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'

export function applyToStarred(
  part: number[],
  event: EventOf<'update_message_flags' | 'delete_message'>,
): number[] {
  if (event.type === 'delete_message') {
    const gone = new Set(event.message_ids ?? [event.message_id])
    return part.filter((id) => !gone.has(id))
  }
  if (event.flag !== 'starred') return part
  const changed = new Set(event.messages)
  const others = part.filter((id) => !changed.has(id))
  return event.op === 'remove' ? others : [...others, ...changed].sort((a, b) => a - b)
}
