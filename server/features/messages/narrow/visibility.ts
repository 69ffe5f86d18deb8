/** Which of the messages that fit a narrow its reader may have. */
import { ChannelAccess } from '../../channels/access.ts'
import { closedConversationIds, hasOpenHistory, openConversationIds } from '../access.ts'
import { HELD, RECEIVED } from '../flags.ts'
import { type Asking, all, type Condition, condition, idList } from './condition.ts'
import { channelOf, unknownChannel } from './operands.ts'
import type { Term } from './terms.ts'

const among = (ids: readonly number[]): Condition =>
  condition('+m.conversation_id IN (SELECT value FROM json_each(?))', idList(ids))

/**
 * In named channels, all of their history that is open to the reader. Where public channels, one message or one's own
 * stars are asked for, likewise all that may be read. Elsewhere, what the reader received.
 * @throws BadNarrowError for a channel that the reader may know of and not read
 */
export function visibility(asking: Asking, terms: readonly Term[]): Condition[] {
  const { ctx, db, me } = asking
  if (!me) return [among(openConversationIds(ctx, db, null))]
  const received = condition(RECEIVED, me.id)
  const access = new ChannelAccess(ctx, db, me)
  const named = terms.filter(({ operator, negated }) => operator === 'channel' && !negated)
  if (named.length > 0) {
    const channels = named.map(({ operand }) => {
      const channel = channelOf(asking, operand)
      if (!access.mayRead(channel)) throw unknownChannel(operand)
      return channel
    })
    return channels.every(hasOpenHistory) ? [] : [condition(HELD, me.id, me.id)]
  }
  const closed = closedConversationIds(ctx, db, me)
  const notClosed = condition('+m.conversation_id NOT IN (SELECT value FROM json_each(?))', idList(closed))
  const own = closed.length > 0 ? [received, notClosed] : [received]
  return terms.some(asksForHistory) ? [either(all(own), among(openConversationIds(ctx, db, me)))] : own
}

const asksForHistory = ({ operator, operand, negated }: Term): boolean =>
  !negated && (operator === 'channels' || operator === 'id' || (operator === 'is' && operand === 'starred'))

const either = (a: Condition, b: Condition): Condition =>
  condition(`((${a.sql}) OR ${b.sql})`, ...a.parameters, ...b.parameters)
