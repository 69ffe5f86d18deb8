/** `with`: the conversation that a message is in now, wherever the narrow says it was. */
import { BadRequestError } from '../../../http/errors.ts'
import { readableIds } from '../access.ts'
import { dmUserIds } from '../conversations.ts'
import { placesOf } from '../store.ts'
import type { Asking } from './condition.ts'
import { BadNarrowError, messageIdOf } from './operands.ts'
import { assertNegatable } from './places.ts'
import type { Term } from './terms.ts'

const conversationOperators = new Set(['channel', 'topic', 'dm'])

/**
 * A narrow without `with`: its conversation is the message's. Where the message cannot be read, the conversation
 * that the narrow names itself.
 * @throws BadRequestError where that leaves no conversation
 */
export function followMessage(asking: Asking, terms: readonly Term[]): Term[] {
  const [followed, another] = terms.filter(({ operator }) => operator === 'with')
  if (!followed) return [...terms]
  if (another) throw new BadRequestError("Duplicate 'with' operators.")
  if (followed.negated) assertNegatable('with')
  const others = terms.filter((term) => term !== followed)
  const place = placeOf(asking, messageIdOf('with', followed.operand))
  if (place) {
    const rest = others.filter(({ operator, negated }) => negated || !conversationOperators.has(operator))
    return [...place, ...rest]
  }
  const named = new Set(others.filter(({ negated }) => !negated).map(({ operator }) => operator))
  if (named.has('dm') || (named.has('channel') && named.has('topic'))) return others
  throw new BadNarrowError("the message of 'with' does not exist or cannot be read")
}

function placeOf(asking: Asking, messageId: number): Term[] | undefined {
  const { ctx, db, me } = asking
  const [place] = placesOf(db, readableIds(ctx, db, me, [messageId]))
  if (!place) return undefined
  const term = (operator: string, operand: Term['operand']): Term => ({ operator, operand, negated: false })
  return place.channel_id === null
    ? [term('dm', dmUserIds(place.dm_key ?? ''))]
    : [term('channel', place.channel_id), term('topic', place.topic)]
}
