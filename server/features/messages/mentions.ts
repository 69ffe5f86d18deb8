/** Whom the mentions of a message reach, and whether its sender may reach them so. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import type { Findings } from '../../services/markdown/rendering.ts'
import { subscriberIds } from '../channels/store.ts'
import { realmPermission } from '../realms/store.ts'
import { holdersOf, holds } from '../user-groups/access.ts'
import { directMemberIds, groupById, groupPermission, reachOf } from '../user-groups/store.ts'
import type { User } from '../users/access.ts'
import { activePeople, systemBots } from '../users/store.ts'
import type { Mentions, Target } from './content.ts'
import { conversationOfChannel, receiverIds } from './conversations.ts'
import { StreamWildcardMentionNotAllowedError, TopicWildcardMentionNotAllowedError } from './errors.ts'
import { topicKey } from './topics.ts'

/** Mentioning more people than this at once takes a permission. */
const MANY = 15

export const noMentions: Mentions = {
  userIds: new Set(),
  channelWildcard: false,
  topicWildcardIds: new Set(),
}

/**
 * @throws BadRequestError for a group that the sender may not mention
 * @throws StreamWildcardMentionNotAllowedError, TopicWildcardMentionNotAllowedError
 */
export function mentionsIn(
  ctx: RealmContext,
  db: Reader,
  sender: User,
  place: Target,
  { userIds, groupIds, wildcards }: Findings,
): Mentions {
  const reached = new Set(userIds)
  for (const id of groupIds) for (const member of membersToMention(ctx, db, sender, id)) reached.add(member)
  // In a direct conversation everybody hears of each message as it is.
  if (!('channel' in place)) return { ...noMentions, userIds: reached }
  const { channel, topic } = place
  const channelWildcard = wildcards.has('channel')
  if (channelWildcard && subscriberIds(db, channel.id).length > MANY && !mayMentionMany(ctx, db, sender)) {
    throw new StreamWildcardMentionNotAllowedError()
  }
  if (!wildcards.has('topic')) return { ...noMentions, userIds: reached, channelWildcard }
  const topicWildcardIds = participants(db, sender, channel.id, topic)
  if (topicWildcardIds.size > MANY && !mayMentionMany(ctx, db, sender)) {
    throw new TopicWildcardMentionNotAllowedError()
  }
  return { userIds: reached, channelWildcard, topicWildcardIds }
}

function mayMentionMany(ctx: RealmContext, db: Reader, sender: User): boolean {
  if (sender.is_system_bot) return true
  const value = realmPermission(db, ctx.realm, 'can_mention_many_users_group')
  return holds(db, ctx.realm, value, sender, ctx.server.now() / 1000)
}

function membersToMention(ctx: RealmContext, db: Reader, sender: User, groupId: number): Iterable<number> {
  const group = groupById(db, groupId)
  if (!group) return []
  const now = ctx.server.now() / 1000
  if (
    !sender.is_system_bot &&
    !holds(db, ctx.realm, groupPermission(db, group, 'can_mention_group'), sender, now)
  ) {
    throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
  }
  const { ids, system } = reachOf(db, groupId)
  if (system.length === 0) return directMemberIds(db, ids)
  const people = [...activePeople(db), ...systemBots(db)]
  return holdersOf(db, ctx.realm, groupId, people, now)
}

/** Whoever wrote in a topic or reacted there, and still receives it; the sender is one of them now. */
function participants(db: Reader, sender: User, channelId: number, topic: string): Set<number> {
  const conversationId = conversationOfChannel(db, channelId)
  const place = [conversationId, topicKey(topic)]
  const rows = db.sql<{ id: number }>(
    `SELECT m.sender_id AS id FROM messages m
      WHERE m.conversation_id = ? AND m.topic_key = ? AND +m.realm_id = :realm
     UNION SELECT r.user_id FROM messages m JOIN reactions r ON r.message_id = m.id
      WHERE m.conversation_id = ? AND m.topic_key = ? AND +m.realm_id = :realm`,
    [...place, ...place],
  )
  const receivers = new Set(receiverIds(db, conversationId))
  return new Set([sender.id, ...rows.map(({ id }) => id)].filter((id) => receivers.has(id)))
}
