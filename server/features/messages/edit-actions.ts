/** Editing and moving messages, and who hears of it. */
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { EventOf } from '../../events/union.ts'
import { BadRequestError } from '../../http/errors.ts'
import { correctFirstMessage } from '../channels/activity.ts'
import { idsWhoMayRead } from '../channels/audience.ts'
import { type Channel, channelById, subscriberIds } from '../channels/store.ts'
import type { AttachmentObject } from '../uploads/present.ts'
import { attachmentsOfMessages, presentAttachments } from '../uploads/store.ts'
import { topicLinks } from '../linkifiers/store.ts'
import { followWhereMentioned, moveUserTopics } from '../user-topics/actions.ts'
import type { Me } from '../users/access.ts'
import { usersByIds } from '../users/store.ts'
import { assertMayRead } from './access.ts'
import { groupBy, type Reach, reachOf } from './audience.ts'
import { type PreparedContent, prepareContent, recordContent, type Target } from './content.ts'
import { dmUserIds } from './conversations.ts'
import { announceDeleted } from './delete-actions.ts'
import { dropStars } from './flag-actions.ts'
import {
  assertMayEditContent,
  channelToMoveTo,
  fittingTopic,
  isResolving,
  messagesToMove,
  type Move,
  type PropagateMode,
} from './edit-access.ts'
import { type EditedMessage, isTopicInUse, messageToEdit, storeContent, storeMove } from './edit-store.ts'
import { flagNamesByUser } from './flags.ts'
import { sendMoveNotices } from './move-notices.ts'
import { isMeMessage } from './present.ts'
import { dropUnusedReaderLists, mentionedIds } from './store.ts'
import { parseTopic, topicKey } from './topics.ts'

export interface Edit {
  messageId: number
  /** What is to change: new content; or the topic, the channel or both. */
  content: string | undefined
  topic: string | undefined
  channelId: number | undefined
  propagateMode: PropagateMode
  notifiesOldTopic: boolean
  notifiesNewTopic: boolean
}

/** What content that was emptied is replaced by: messages are deleted in another way. */
const EMPTIED = '(deleted)'

/**
 * Edits a message, or moves messages (specification, "PATCH /messages/{message_id}").
 * @returns the files to which no message refers any more
 * @throws BadRequestError, MoveTimeLimitExceededError, and what content is refused with
 */
export function editMessage(ctx: RequestContext, tx: Tx, me: Me, edit: Edit): AttachmentObject[] {
  if (edit.content !== undefined && edit.channelId !== undefined) {
    throw new BadRequestError('Cannot change message content while changing channel')
  }
  assertMayRead(ctx, tx, me, edit.messageId)
  const message = messageToEdit(tx, edit.messageId)
  const channel = message.channel_id === null ? null : (channelById(tx, message.channel_id) ?? null)
  if (channel?.is_archived) throw new BadRequestError('Messages of an archived channel cannot be edited')
  const move = moveOf(ctx, tx, me, edit, message, channel)
  if (!move && edit.content === undefined) throw new BadRequestError('Nothing to change')
  if (!move && edit.propagateMode !== 'change_one') {
    throw new BadRequestError('Invalid propagate_mode without topic edit')
  }
  const content = edit.content === undefined ? null : newContent(ctx, tx, me, message, edit.content, move)
  if (!move && !content) return []
  const ids = move ? messagesToMove(ctx, tx, me, message, move) : [message.id]

  const before = reachOf(ctx, tx, channel, ids)
  const mentionedBefore = new Set(mentionedIds(tx, message.id))
  const isMerge = move !== null && isTopicInUse(tx, move.to.id, move.newTopic)
  if (move) storeMoved(tx, me, ids, move)
  const detached = content ? storeEdited(ctx, tx, me, message, content, move !== null) : []
  announceEdit(ctx, tx, me, { message, channel, ids, move, content, before })
  if (move) followMove(ctx, tx, me, ids, move, { ...edit, isMerge })
  if (content && channel) {
    const newly = mentionedIds(tx, message.id).filter((id) => !mentionedBefore.has(id))
    followWhereMentioned(ctx, tx, newly, { channelId: channel.id, topic: move?.newTopic ?? message.topic })
  }
  return detached
}

/** What is to be moved where; null when nothing is. @throws BadRequestError */
function moveOf(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  edit: Edit,
  message: EditedMessage,
  channel: Channel | null,
): Move | null {
  if (edit.topic === undefined && edit.channelId === undefined) return null
  if (!channel) throw new BadRequestError('Direct messages cannot be moved to channels.')
  const newTopic =
    edit.topic === undefined ? message.topic : parseTopic(ctx.realm, fittingTopic(edit.topic, message.topic))
  const isElsewhere = edit.channelId !== undefined && edit.channelId !== channel.id
  if (!isElsewhere && newTopic === message.topic) return null
  const to = isElsewhere ? channelToMoveTo(ctx, tx, me, edit.channelId ?? 0) : channel
  return { from: channel, to, oldTopic: message.topic, newTopic, mode: edit.propagateMode }
}

/** The content that a message is to get; null when it has it already. */
function newContent(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  message: EditedMessage,
  given: string,
  move: Move | null,
): PreparedContent | null {
  assertMayEditContent(ctx, tx, me, message)
  const text = given.trim() === '' ? EMPTIED : given
  const prepared = prepareContent(ctx, tx, me, text, placeOf(tx, message, move))
  return prepared.content === message.content ? null : prepared
}

function placeOf(tx: Tx, { channel_id, dm_key, topic }: EditedMessage, move: Move | null): Target {
  if (channel_id === null) return { users: usersByIds(tx, dmUserIds(dm_key ?? '')) }
  const channel = channelById(tx, channel_id)
  if (!channel) throw new Error(`Channel ${channel_id} vanished`)
  return { channel, topic: move?.newTopic ?? topic }
}

function storeMoved(tx: Tx, me: Me, ids: readonly number[], move: Move): void {
  const { from, to, oldTopic, newTopic } = move
  storeMove(tx, {
    ids,
    ...(oldTopic === newTopic ? {} : { topic: newTopic }),
    ...(from.id === to.id ? {} : { channels: { from, to } }),
    userId: me.id,
    isMove: !isResolving(move),
  })
  if (from.id === to.id) return
  dropUnusedReaderLists(tx)
}

function storeEdited(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  message: EditedMessage,
  prepared: PreparedContent,
  joinsMove: boolean,
): AttachmentObject[] {
  const { content, rendered } = prepared
  const files = attachmentsOfMessages(tx, [message.id])
  storeContent(tx, message, { content, rendered, userId: me.id, joinsMove })
  // Whom it mentions is decided among those who received it.
  const receivedIn = message.received_in ?? message.conversation_id
  recordContent(ctx, tx, { ...message, conversation_id: receivedIn }, prepared, true)
  return presentAttachments(tx, files).filter(({ messages }) => messages.length === 0)
}

interface Edited {
  message: EditedMessage
  /** Where the message was. */
  channel: Channel | null
  ids: readonly number[]
  move: Move | null
  content: PreparedContent | null
  before: Reach
}

/** Tells everybody who may read the messages before and after; who loses them is told that they are gone. */
function announceEdit(ctx: RequestContext, tx: Tx, me: Me, edited: Edited): void {
  const { message, channel, ids, move, before } = edited
  const to = move?.to ?? channel
  const isElsewhere = move !== null && move.from.id !== move.to.id
  const after = isElsewhere ? reachOf(ctx, tx, to, ids) : before
  const newcomers = isElsewhere ? subscriberIds(tx, move.to.id) : []
  const concerned = [...new Set([...before.userIds, ...newcomers])]
  const flags = flagNamesByUser(tx, message.id, concerned)
  const lost = new Map<readonly number[], number[]>()
  for (const [had, users] of groupBy(concerned, (userId) => before.idsFor(userId))) {
    if (had.length === 0) continue
    for (const [has, userIds] of groupBy(users, (userId) => after.idsFor(userId))) {
      const kept = new Set(has)
      const [seen, gone] =
        had === has ? [had, []] : [had.filter((id) => kept.has(id)), had.filter((id) => !kept.has(id))]
      if (gone.length > 0) lost.set(gone, userIds)
      if (seen.length === 0) continue
      tx.emit(editEvent(tx, me, edited, seen), {
        to: userIds,
        personal: (userId) => ({ flags: flags.get(userId) ?? [] }),
      })
    }
  }
  if (channel) announceDeleted(tx, channel.id, message.topic, lost)
  for (const [ids, userIds] of lost) dropStars(tx, ids, userIds)
}

/** @param seen those of the messages that the users who get it may read */
function editEvent(
  tx: Tx,
  me: Me,
  { message, channel, move, content }: Edited,
  seen: readonly number[],
): EventOf<'update_message'> {
  const isSeen = seen.includes(message.id)
  return {
    type: 'update_message',
    user_id: me.id,
    edit_timestamp: tx.now,
    message_id: isSeen ? message.id : (seen[0] ?? message.id),
    message_ids: [...seen],
    rendering_only: false,
    flags: [],
    ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
    ...(move ? { orig_subject: move.oldTopic, propagate_mode: move.mode } : {}),
    ...(move && move.newTopic !== move.oldTopic
      ? { subject: move.newTopic, topic_links: topicLinks(tx, move.newTopic) }
      : {}),
    ...(move && move.to.id !== move.from.id ? { new_stream_id: move.to.id } : {}),
    ...(content && isSeen
      ? {
          orig_content: message.content,
          orig_rendered_content: message.rendered_content,
          content: content.content,
          rendered_content: content.rendered,
          is_me_message: isMeMessage(content.content),
        }
      : {}),
  }
}

/** What follows a move: choices for a topic that is gone go along, and the topics are told. */
function followMove(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  ids: readonly number[],
  move: Move,
  { isMerge, notifiesOldTopic, notifiesNewTopic }: Edit & { isMerge: boolean },
): void {
  const { from, to, oldTopic, newTopic } = move
  if (from.id !== to.id) for (const { id } of [from, to]) correctFirstMessage(ctx, tx, id)
  const isSameTopic = from.id === to.id && topicKey(oldTopic) === topicKey(newTopic)
  const isWhole = isSameTopic ? move.mode === 'change_all' : !isTopicInUse(tx, from.id, oldTopic)
  if (isWhole && !isSameTopic) {
    const readers = idsWhoMayRead(ctx, tx, to)
    moveUserTopics(
      ctx,
      tx,
      { channelId: from.id, topic: oldTopic },
      { channelId: to.id, topic: newTopic },
      { isMerge, mayRead: (userId) => readers.has(userId) },
    )
  }
  sendMoveNotices(ctx, tx, me, move, {
    count: ids.length,
    isWhole,
    isResolving: isWhole && isResolving(move),
    notifiesOldTopic,
    notifiesNewTopic,
  })
}
