/** The operators that say where a message stands, who wrote it, or which one it is. */
import type { Reader } from '../../../db/transaction.ts'
import { conversationOfChannel, dmUserIds, findDirectConversation } from '../conversations.ts'
import { meantTopic, topicKey } from '../topics.ts'
import { type Asking, condition, idList, type Operator, selective, userAsking } from './condition.ts'
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

const amongConversations = (ids: readonly number[]) =>
  selective('m.conversation_id IN (SELECT value FROM json_each(?))', idList(ids))

const IN_CHANNEL =
  'EXISTS (SELECT 1 FROM conversations k WHERE k.id = m.conversation_id AND k.channel_id IS NOT NULL)'

const channelKinds = new Map([
  ['public', 'h.invite_only = 0'],
  ['web-public', 'h.is_web_public = 1'],
])

export const placeOperators: Record<string, Operator> = {
  channel: (asking, operand) =>
    selective('m.conversation_id = ?', conversationNamed(asking, 'channel', operand)),

  // The plus: one after the other, since there may be very many of them.
  channels: (_asking, operand) => {
    const kind = channelKinds.get(textOf('channels', operand)) ?? invalid('channels', operand)
    return condition(
      `+m.conversation_id IN (SELECT c.id FROM conversations c JOIN channels h ON h.id = c.channel_id
        WHERE h.realm_id = :realm AND ${kind})`,
    )
  },

  topic: (_asking, operand) => {
    const key = topicKey(meantTopic(textOf('topic', operand)))
    // Direct messages have no topic, which is not the same as the empty one.
    const isInChannel = key === '' ? ` AND ${IN_CHANNEL}` : ''
    return condition(`m.topic_key = ?${isInChannel}`, key)
  },

  dm: (asking, operand) => selective('m.conversation_id = ?', conversationNamed(asking, 'dm', operand)),

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
    return selective('m.sender_id = ?', userOf(asking, operand).id)
  },

  id: (_asking, operand) => selective('m.id = ?', messageIdOf('id', operand)),

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
