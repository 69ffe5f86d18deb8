/** Messages as clients see them (specification, "Message object"). */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { accessibleUserIds, type User } from '../users/access.ts'
import { asSpectatorsSee, asUnknown, avatarFor } from '../users/present.ts'
import { apiEmail, type Viewer } from '../users/visibility.ts'
import { topicLinks } from '../linkifiers/store.ts'
import { submessagesByMessage, SubmessageObject } from '../submessages/store.ts'
import { usersByIds } from '../users/store.ts'
import { dmUserIds } from './conversations.ts'
import { EditHistoryEntry, type EditedRow, presentEdits } from './edit-history.ts'
import { flagNames, RECEIVED_IN } from './flags.ts'
import { flagStates, type MarkedMessage } from './flag-states.ts'
import { reactionsByMessage } from './store.ts'
import { shownTopic } from './topics.ts'

const ReactionObject = z.strictObject({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji']),
  user_id: z.int(),
})

const RecipientUser = z.strictObject({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})

export const MessageInEvent = z.strictObject({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  client: z.string(),
  avatar_url: z.string().nullable(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  display_recipient: z.union([z.string(), z.array(RecipientUser)]),
  recipient_id: z.int(),
  stream_id: z.int().optional(),
  subject: z.string(),
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
  timestamp: z.int(),
  is_me_message: z.boolean(),
  reactions: z.array(ReactionObject),
  submessages: z.array(SubmessageObject),
})
export type MessageInEvent = z.output<typeof MessageInEvent>

export const MessageObject = z.strictObject({
  ...MessageInEvent.shape,
  flags: z.array(z.string()),
  edit_history: z.array(EditHistoryEntry).optional(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
})
export type MessageObject = z.output<typeof MessageObject>

export interface MessageForm {
  realmUrl: string
  applyMarkdown: boolean
  extAvatar: boolean
  allowEmptyTopic: boolean
}

/** A message's row with what its readers see of its sender and place. */
export interface FullMessage {
  id: number
  conversation_id: number
  sender_id: number
  topic: string
  content: string
  rendered_content: string
  client: string
  timestamp: number
  channel_id: number | null
  channel_name: string | null
  dm_key: string | null
}

/** `/me` at the start of a message that is one paragraph. */
export const isMeMessage = (content: string): boolean => content.startsWith('/me ') && !content.includes('\n')

/** What was added to a message. */
export interface Attached {
  reactions?: z.output<typeof ReactionObject>[] | undefined
  submessages?: SubmessageObject[] | undefined
}

/** The part of a message that is the same for every reader, in the newest form with HTML. */
export function presentMessage(
  ctx: RealmContext,
  message: FullMessage,
  sender: User,
  directUsers: readonly User[],
  { reactions = [], submessages = [] }: Attached,
  form: MessageForm & { viewer: Viewer },
): MessageInEvent {
  const isChannel = message.channel_id !== null
  return {
    id: message.id,
    type: isChannel ? 'stream' : 'private',
    sender_id: sender.id,
    sender_email: apiEmail(ctx.realm, sender),
    sender_full_name: sender.full_name,
    sender_realm_str: ctx.realm.stringId,
    client: message.client,
    avatar_url: avatarFor(sender, form),
    content: form.applyMarkdown ? message.rendered_content : message.content,
    content_type: form.applyMarkdown ? 'text/html' : 'text/x-markdown',
    display_recipient: isChannel
      ? (message.channel_name ?? '')
      : directUsers.map((user) => ({
          id: user.id,
          email: apiEmail(ctx.realm, user),
          full_name: user.full_name,
          is_mirror_dummy: false,
        })),
    recipient_id: message.conversation_id,
    ...(message.channel_id === null ? {} : { stream_id: message.channel_id }),
    subject: isChannel ? shownTopic(message.topic, form.allowEmptyTopic) : '',
    topic_links: isChannel ? topicLinks(ctx.db, message.topic) : [],
    timestamp: message.timestamp,
    is_me_message: isMeMessage(message.content),
    reactions,
    submessages: submessages,
  }
}

/**
 * Messages by id, ascending, as one reader sees them; to somebody without an account (null), all is read. Whether the
 * reader may is settled before.
 */
export function presentMessages(
  ctx: RealmContext,
  db: Reader,
  reader: User | null,
  ids: readonly number[],
  form: MessageForm,
): MessageObject[] {
  const rows = db.sql<FullMessage & EditedRow & MarkedMessage>(
    `SELECT m.id, m.conversation_id, m.sender_id, m.topic, m.content, m.rendered_content, m.client, m.timestamp,
       m.edit_history, m.last_edit_timestamp, m.last_moved_timestamp, m.shared_flags, m.readers_id,
       ${RECEIVED_IN} AS received_in, c.channel_id, h.name AS channel_name, c.dm_key, f.flags
     FROM messages m
     JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN channels h ON h.id = c.channel_id
     LEFT JOIN message_flags f ON f.user_id = ? AND f.message_id = m.id
     WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm
     ORDER BY m.id`,
    [reader?.id ?? -1, JSON.stringify(ids)],
  )
  const userIds = new Set(
    rows.flatMap((row) => [row.sender_id, ...(row.dm_key === null ? [] : dmUserIds(row.dm_key))]),
  )
  const accessible = reader && accessibleUserIds(ctx, db, reader)
  const known = (user: User) => {
    if (reader === null) return asSpectatorsSee(user)
    return accessible?.has(user.id) === false ? asUnknown(ctx.realm, user) : user
  }
  const users = new Map(usersByIds(db, [...userIds]).map((user) => [user.id, known(user)]))
  const personal = { ...form, viewer: reader }
  const reactions = reactionsByMessage(db, ids)
  const submessages = submessagesByMessage(db, ids)
  const stateOf = reader && flagStates(db, reader, rows)
  const historyVisibility = ctx.realm.settings.message_edit_history_visibility_policy
  return rows.flatMap((row) => {
    const sender = users.get(row.sender_id)
    if (!sender) return []
    const direct = row.dm_key === null ? [] : dmUserIds(row.dm_key).flatMap((id) => users.get(id) ?? [])
    const attached = { reactions: reactions.get(row.id), submessages: submessages.get(row.id) }
    const message = presentMessage(ctx, row, sender, direct, attached, personal)
    const flags = stateOf ? flagNames(stateOf(row)) : ['read']
    return [{ ...message, flags, ...presentEdits(row, historyVisibility, form.allowEmptyTopic) }]
  })
}
