/** The content of messages: its HTML, whom it mentions or alerts, and the files it refers to. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { renderContent } from '../../services/markdown.ts'
import { alertedUserIds } from '../alert-words/store.ts'
import type { Channel } from '../channels/store.ts'
import { MAX_MESSAGE_LENGTH } from '../realms/settings.ts'
import { claimUploads } from '../uploads/actions.ts'
import type { User } from '../users/access.ts'
import { CONTENT_BITS, FlagBit, IN_SPAN, RECEIVED_IN } from './flags.ts'
import { lookupsFor } from './lookups.ts'
import { mentionsIn, noMentions } from './mentions.ts'

/** Where a message stands: in a topic, or among users, the sender one of them. */
export type Target = { channel: Channel; topic: string } | { users: readonly User[] }

/** Bits of `messages.contents`: what the HTML holds. */
export const ContentBit = { link: 1, image: 2, upload: 4 } as const

export interface Mentions {
  /** Mentioned by name or through a group, not silently; whether or not they receive the message. */
  userIds: ReadonlySet<number>
  /** `@**all**` and its like, in a channel. */
  channelWildcard: boolean
  /** Who takes part in the topic, where `@**topic**` mentions them. */
  topicWildcardIds: ReadonlySet<number>
}

/** Content that can be sent or stored, with all that follows from it. */
export interface PreparedContent {
  content: string
  /** The HTML. */
  rendered: string
  /** Bits of {@link ContentBit}. */
  contents: number
  mentions: Mentions
  /** Whose alert words are in it; whether or not they receive the message. */
  alertedUserIds: ReadonlySet<number>
  /** `path_id` of every file of this server that it links to. */
  uploadPathIds: readonly string[]
}

/**
 * Checks and renders content as its sender writes it.
 * @param place null where it stands nowhere yet: then no mention reaches anybody
 * @throws BadRequestError when there is nothing in it, too much, or what cannot be text; or for a group that the sender
 * may not mention
 * @throws StreamWildcardMentionNotAllowedError, TopicWildcardMentionNotAllowedError
 */
export function prepareContent(
  ctx: RealmContext,
  db: Reader,
  sender: User,
  text: string,
  place: Target | null,
): PreparedContent {
  const content = text.trimEnd()
  if (content.trim() === '') throw new BadRequestError('Message must not be empty')
  if (content.includes('\0')) throw new BadRequestError('Message must not contain null bytes')
  if ([...content].length > MAX_MESSAGE_LENGTH) {
    throw new BadRequestError(`Message is too long: at most ${MAX_MESSAGE_LENGTH} characters`)
  }
  const found = renderContent(content, lookupsFor(ctx, db, sender, content))
  return {
    content,
    rendered: found.html,
    contents:
      (found.hasLink ? ContentBit.link : 0) |
      (found.hasImage ? ContentBit.image : 0) |
      (found.uploadPathIds.size > 0 ? ContentBit.upload : 0),
    mentions: place ? mentionsIn(ctx, db, sender, place, found) : noMentions,
    alertedUserIds: place ? alertedUserIds(db, content) : new Set(),
    uploadPathIds: [...found.uploadPathIds],
  }
}

/** What a message's own row says of its content. */
export const columnsOf = ({ contents, mentions }: PreparedContent) => ({
  contents,
  shared_flags: mentions.channelWildcard ? FlagBit.stream_wildcard_mentioned : 0,
})

/**
 * Writes what follows from a message's content beside its row: the flags of those who received it, and its files. Call
 * it in the transaction that inserts the message or changes its content; on an edit the row is changed too, the flags
 * are worked out anew, and those that a reader set stay.
 * @param isEdit whether the message had other content before
 * @returns the bits of `message_flags` that a user who received the message now has from its content
 */
export function recordContent(
  ctx: RealmContext,
  tx: Tx,
  message: { id: number; conversation_id: number; sender_id: number },
  content: PreparedContent,
  isEdit = false,
): (userId: number) => number {
  const { id } = message
  const { mentions, alertedUserIds, uploadPathIds } = content
  const columns = columnsOf(content)
  if (isEdit) {
    tx.run(tx.q.updateTable('messages').set(columns).where('id', '=', id))
    clearContentBits(tx, id)
  }
  if (isEdit || uploadPathIds.length > 0) claimUploads(ctx, tx, message, uploadPathIds)
  const bits = new Map<number, number>()
  const add = (ids: Iterable<number>, bit: number) => {
    for (const userId of ids) bits.set(userId, (bits.get(userId) ?? 0) | bit)
  }
  add(mentions.userIds, FlagBit.mentioned)
  add(mentions.topicWildcardIds, FlagBit.topic_wildcard_mentioned)
  add(alertedUserIds, FlagBit.has_alert_word)
  if (bits.size > 0) {
    tx.runSql(
      `INSERT INTO message_flags (realm_id, user_id, message_id, flags)
       SELECT :realm, u.id, ?1, b.value FROM json_each(?2) b JOIN users u ON u.id = CAST(b.key AS INTEGER)
         JOIN messages m ON m.id = ?1
        WHERE u.realm_id = :realm AND u.is_active = 1 AND EXISTS (
          SELECT 1 FROM spans s
            WHERE s.user_id = u.id AND s.conversation_id = ${RECEIVED_IN} AND ${IN_SPAN})
       ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | excluded.flags`,
      [id, JSON.stringify(Object.fromEntries(bits))],
    )
  }
  return (userId) => (bits.get(userId) ?? 0) | columns.shared_flags
}

function clearContentBits(tx: Tx, messageId: number): void {
  tx.runSql('UPDATE message_flags SET flags = flags & ? WHERE realm_id = :realm AND message_id = ?', [
    ~CONTENT_BITS,
    messageId,
  ])
  tx.runSql('DELETE FROM message_flags WHERE realm_id = :realm AND message_id = ? AND flags = 0', [messageId])
}
