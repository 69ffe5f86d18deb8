/** `is` and `in`: what a message is to the one who asks. */
import { Visibility } from '../../user-topics/store.ts'
import { FlagBit, MENTION_BITS, RECEIVED, UNREAD } from '../flags.ts'
import { unreadIds } from '../unread.ts'
import { type Asking, type Condition, condition, type Operator, userAsking } from './condition.ts'
import { invalid, textOf } from './operands.ts'
import { amongConversations, directConversationIds, inTopics } from './places.ts'
import { RESOLVED_PREFIX } from './terms.ts'

type State = (asking: Asking, conversationId: number | undefined) => Condition

const flagged =
  (bits: number): State =>
  (asking) => {
    const { id } = userAsking(asking)
    const those = `FROM message_flags f WHERE f.user_id = ? AND f.flags & ${bits}`
    return {
      ...condition(`EXISTS (SELECT 1 ${those} AND f.message_id = m.id)`, id),
      listed: { sql: `SELECT f.message_id AS id ${those}`, parameters: [id] },
    }
  }

/** What a user has not read, in one conversation where it is known. */
export const unreadBy = (userId: number, conversationId?: number) => ({
  ...condition(UNREAD, userId, userId, userId),
  listed: unreadIds(userId, conversationId),
})

const direct: State = (asking) => amongConversations(directConversationIds(asking.db, userAsking(asking).id))

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

/** The first text that comes after all that begin so. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

const states: Record<string, State> = {
  dm: direct,
  private: direct,
  starred: flagged(FlagBit.starred),
  alerted: flagged(FlagBit.has_alert_word),
  // By name in the user's rows, by wildcard in those of the few messages that everybody who received them shares.
  mentioned: (asking) => {
    const { id } = userAsking(asking)
    const named = `FROM message_flags f WHERE f.user_id = ? AND f.flags & ${MENTION_BITS}`
    return {
      ...condition(
        `(EXISTS (SELECT 1 ${named} AND f.message_id = m.id) OR (m.shared_flags > 0 AND ${RECEIVED}))`,
        id,
        id,
      ),
      listed: {
        sql: `SELECT f.message_id AS id ${named}
          UNION ALL SELECT d.id FROM messages d WHERE d.realm_id = :realm AND d.shared_flags > 0`,
        parameters: [id],
      },
    }
  },
  unread: (asking, conversationId) => unreadBy(userAsking(asking).id, conversationId),
  followed: (asking) => condition(topicChoice(`= ${Visibility.followed}`), userAsking(asking).id),
  muted,
  resolved: (_asking, conversationId) => {
    const prefix = RESOLVED_PREFIX.toLowerCase()
    const resolved = condition(`substr(m.topic_key, 1, ${prefix.length}) = ?`, prefix)
    if (conversationId !== undefined) return resolved
    const listed = {
      sql: inTopics('d.topic_key >= ? AND d.topic_key < ?'),
      parameters: [prefix, after(prefix)],
    }
    return { ...resolved, listed }
  },
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
