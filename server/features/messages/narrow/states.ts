/** `is` and `in`: what a message is to the one who asks. */
import { Visibility } from '../../user-topics/store.ts'
import { FlagBit, MENTION_BITS, RECEIVED } from '../flags.ts'
import { unreadIds } from '../unread.ts'
import { type Asking, type Condition, condition, type Operator, selective, userAsking } from './condition.ts'
import { invalid, textOf } from './operands.ts'
import { directConversationIds } from './places.ts'
import { RESOLVED_PREFIX } from './terms.ts'

type State = (asking: Asking, conversationId: number | undefined) => Condition

const flagged =
  (bits: number): State =>
  (asking) =>
    selective(
      `m.id IN (SELECT f.message_id FROM message_flags f WHERE f.user_id = ? AND f.flags & ${bits})`,
      userAsking(asking).id,
    )

const direct: State = (asking) => {
  const ids = directConversationIds(asking.db, userAsking(asking).id)
  return selective('m.conversation_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

/** SQL that is true of a message in a topic for which the user (`?`) chose a policy. */
const topicChoice = (policy: string) => `EXISTS (SELECT 1 FROM user_topics t JOIN conversations c
    ON c.channel_id = t.channel_id AND c.id = m.conversation_id
  WHERE t.user_id = ? AND t.topic_key = m.topic_key AND t.visibility_policy ${policy})`

// A topic's own choice wins over its channel's; nothing wins over the muting of whoever wrote it.
const muted = (asking: Asking): Condition => {
  const { id } = userAsking(asking)
  return condition(
    `(${topicChoice(`= ${Visibility.muted}`)} OR (NOT ${topicChoice(`IN (${Visibility.unmuted}, ${Visibility.followed})`)} AND +m.conversation_id IN (
      SELECT c.id FROM subscriptions b JOIN conversations c ON c.channel_id = b.channel_id
       WHERE b.user_id = ? AND b.is_muted = 1))
      OR m.sender_id IN (SELECT muted_user_id FROM muted_users WHERE user_id = ?))`,
    id,
    id,
    id,
    id,
  )
}

const states: Record<string, State> = {
  dm: direct,
  private: direct,
  starred: flagged(FlagBit.starred),
  alerted: flagged(FlagBit.has_alert_word),
  // By name in the user's rows, by wildcard in those of the few messages that everybody who received them shares.
  mentioned: (asking) => {
    const { id } = userAsking(asking)
    return selective(
      `m.id IN (SELECT f.message_id FROM message_flags f WHERE f.user_id = ? AND f.flags & ${MENTION_BITS}
        UNION ALL SELECT m.id FROM messages m
          WHERE m.realm_id = :realm AND m.shared_flags > 0 AND ${RECEIVED})`,
      id,
      id,
    )
  },
  unread: (asking, conversationId) => {
    const { sql, parameters } = unreadIds(userAsking(asking).id, conversationId)
    return selective(`m.id IN (${sql})`, ...parameters)
  },
  followed: (asking) => condition(topicChoice(`= ${Visibility.followed}`), userAsking(asking).id),
  muted,
  resolved: () =>
    condition(`substr(m.topic_key, 1, ${RESOLVED_PREFIX.length}) = ?`, RESOLVED_PREFIX.toLowerCase()),
}

export const stateOperators: Record<string, Operator> = {
  is: (asking, operand, conversationId) => {
    const name = textOf('is', operand)
    const state = Object.hasOwn(states, name) ? states[name] : undefined
    return (state ?? invalid('is', operand))(asking, conversationId)
  },
  in: (asking, operand) => {
    const name = textOf('in', operand)
    if (name === 'all') return condition('1')
    if (name !== 'home') return invalid('in', operand)
    const { sql, parameters } = muted(asking)
    return { sql: `NOT ${sql}`, parameters }
  },
}
