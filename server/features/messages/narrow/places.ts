/** The operators that say where a message stands, who wrote it, or which one it is. */
import type { Reader } from '../../../db/transaction.ts'
import { conversationOfChannel, dmUserIds, findDirectConversation } from '../conversations.ts'
import { meantTopic, topicKey } from '../topics.ts'
import {
  type Asking,
  type Condition,
  condition,
  idList,
  indexed,
  type Operator,
  userAsking,
} from './condition.ts'
import { BadNarrowError, channelOf, invalid, messageIdOf, textOf, userOf, usersOf } from './operands.ts'
import type { Operand } from './terms.ts'

/** The conversation that a `channel` or `dm` term names; -1 where the users have none. */
export function conversationNamed(asking: Asking, operator: 'channel' | 'dm', operand: Operand): number {
  if (operator === 'channel') return conversationOfChannel(asking.db, channelOf(asking, operand).id)
  const ids = usersOf(asking, operand).map((user) => user.id)
  if (ids.length === 0) return -1
  return findDirectConversation(asking.db, [userAsking(asking).id, ...ids]) ?? -1
}

/** Ids of the user's direct conversations whose users fit. */
export function directConversationIds(
  db: Reader,
  userId: number,
  fits: (userIds: number[]) => boolean = () => true,
): number[] {
  const rows = db.sql<{ id: number; dm_key: string }>(
    `SELECT c.id, c.dm_key FROM spans s
       JOIN conversations c ON c.id = s.conversation_id AND c.dm_key IS NOT NULL
      WHERE s.realm_id = :realm AND s.user_id = ?`,
    [userId],
  )
  return rows.filter(({ dm_key }) => fits(dmUserIds(dm_key))).map(({ id }) => id)
}

/** In one of a user's direct conversations. */
export const amongConversations = (ids: readonly number[]): Condition => ({
  ...condition('+m.conversation_id IN (SELECT value FROM json_each(?))', idList(ids)),
  listed: {
    sql: `SELECT d.id FROM json_each(?) w CROSS JOIN messages d ON d.conversation_id = w.value`,
    parameters: [idList(ids)],
  },
})

/** SQL that lists the messages of topics in channels. @param topics true of the topics' keys `d.topic_key` */
export const inTopics = (topics: string): string =>
  `SELECT d.id FROM channels h CROSS JOIN conversations c ON c.channel_id = h.id
     CROSS JOIN messages d ON d.conversation_id = c.id AND ${topics} WHERE h.realm_id = :realm`

const IN_CHANNEL =
  'EXISTS (SELECT 1 FROM conversations k WHERE k.id = m.conversation_id AND k.channel_id IS NOT NULL)'

const channelKinds = new Map([
  ['public', 'h.invite_only = 0'],
  ['web-public', 'h.is_web_public = 1'],
])

export const placeOperators: Record<string, Operator> = {
  channel: (asking, operand) =>
    indexed('m.conversation_id = ?', conversationNamed(asking, 'channel', operand)),

  // The plus: one after the other, since there may be very many of them.
  channels: (_asking, operand) => {
    const kind = channelKinds.get(textOf('channels', operand)) ?? invalid('channels', operand)
    return condition(
      `+m.conversation_id IN (SELECT c.id FROM conversations c JOIN channels h ON h.id = c.channel_id
        WHERE h.realm_id = :realm AND ${kind})`,
    )
  },

  topic: (_asking, operand, conversationId) => {
    const key = topicKey(meantTopic(textOf('topic', operand)))
    // Direct messages have no topic, which is not the same as the empty one.
    const isInChannel = key === '' ? ` AND ${IN_CHANNEL}` : ''
    const inTopic = condition(`m.topic_key = ?${isInChannel}`, key)
    if (conversationId !== undefined) return inTopic
    return { ...inTopic, listed: { sql: inTopics('d.topic_key = ?'), parameters: [key] } }
  },

  dm: (asking, operand) => indexed('m.conversation_id = ?', conversationNamed(asking, 'dm', operand)),

  'dm-including': (asking, operand) => {
    const wanted = usersOf(asking, operand).map((user) => user.id)
    return amongConversations(
      directConversationIds(asking.db, userAsking(asking).id, (ids) =>
        wanted.every((id) => ids.includes(id)),
      ),
    )
  },

  'group-pm-with': (asking, operand) => {
    const wanted = usersOf(asking, operand).map((user) => user.id)
    const fits = (ids: number[]) => ids.length > 2 && wanted.every((id) => ids.includes(id))
    return amongConversations(directConversationIds(asking.db, userAsking(asking).id, fits))
  },

  sender: (asking, operand) => {
    if (Array.isArray(operand)) return invalid('sender', operand)
    return indexed('m.sender_id = ?', userOf(asking, operand).id)
  },

  id: (_asking, operand) => {
    const id = messageIdOf('id', operand)
    return { ...condition('m.id = ?', id), listed: { sql: 'SELECT ? AS id', parameters: [id] } }
  },

  // Says where a client looks; the anchor decides.
  near: (_asking, operand) => {
    messageIdOf('near', operand)
    return condition('1')
  },
}

/** @throws BadNarrowError for an operator that says nothing when negated */
export function assertNegatable(operator: string): void {
  if (operator === 'near' || operator === 'with') throw new BadNarrowError(`${operator} cannot be negated`)
}
