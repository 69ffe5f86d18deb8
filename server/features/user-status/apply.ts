/** Keeps what people say of themselves current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import type { StatusObject } from './present.ts'

type Statuses = Record<string, StatusObject>

export function applyToStatuses(part: Statuses, event: EventOf<'user_status'>): Statuses {
  const { user_id, away, status_text, emoji_name, emoji_code, reaction_type } = event
  const { [user_id]: known = {}, ...others } = part
  let next: StatusObject = known
  if (away !== undefined) {
    const { away: _away, ...rest } = next
    next = away ? { ...rest, away } : rest
  }
  if (status_text !== undefined) {
    const { status_text: _text, ...rest } = next
    next = status_text === '' ? rest : { ...rest, status_text }
  }
  if (reaction_type !== undefined) {
    const { emoji_name: _name, emoji_code: _code, reaction_type: _type, ...rest } = next
    next = reaction_type === '' ? rest : { ...rest, emoji_name, emoji_code, reaction_type }
  }
  return Object.keys(next).length === 0 ? others : { ...others, [user_id]: next }
}

/** Of somebody who is deactivated, or out of sight, nothing is kept. */
export function dropStatus(part: Statuses, event: EventOf<'realm_user'>): Statuses {
  const { person } = event
  const isGone = event.op === 'remove' || ('is_active' in person && !person.is_active)
  if (!isGone || !(person.user_id in part)) return part
  const { [person.user_id]: _gone, ...others } = part
  return others
}
