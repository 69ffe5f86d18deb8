/** Whether a user may change what a message says, or where it stands. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { ChannelAccess } from '../channels/access.ts'
import { type Channel, channelById } from '../channels/store.ts'
import { MAX_TOPIC_LENGTH } from '../realms/settings.ts'
import type { Me } from '../users/access.ts'
import { isModerator } from '../users/roles.ts'
import { type EditedMessage, isWidget, messagesOfTopic } from './edit-store.ts'
import { MoveTimeLimitExceededError } from './errors.ts'
import { mayPostTo } from './recipients.ts'
import { meantTopic } from './topics.ts'

export type PropagateMode = 'change_one' | 'change_later' | 'change_all'

/** From where to where messages are to be moved. */
export interface Move {
  from: Channel
  to: Channel
  oldTopic: string
  newTopic: string
  mode: PropagateMode
}

/** @throws BadRequestError when it is not the user's own message, too old, or not to be edited at all */
export function assertMayEditContent(ctx: RealmContext, tx: Tx, me: Me, message: EditedMessage): void {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = ctx.realm.settings
  if (!allow_message_editing) {
    throw new BadRequestError('Your organization has turned off message editing')
  }
  if (message.sender_id !== me.id) {
    throw new BadRequestError("You don't have permission to edit this message")
  }
  if (isWidget(tx, message.id)) throw new BadRequestError('Widgets cannot be edited.')
  if (limit !== null && tx.now - message.timestamp > limit) {
    throw new BadRequestError('The time limit for editing this message has passed')
  }
}

/** A channel to which the user may move messages. @throws BadRequestError */
export function channelToMoveTo(ctx: RealmContext, tx: Tx, me: Me, id: number): Channel {
  const channel = channelById(tx, id)
  const access = new ChannelAccess(ctx, tx, me)
  if (!channel || !access.maySee(channel)) throw new BadRequestError('Invalid channel ID')
  if (!mayPostTo(access, channel)) {
    throw new BadRequestError(`Not authorized to send to channel '${channel.name}'`)
  }
  return channel
}

const RESOLVED = '✔ '
export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED)
const withoutMark = (topic: string): string => topic.replace(/^(?:✔ )+/u, '')

/** A topic's name when it is resolved. Where that would be too long, its end gives way. */
function marked(topic: string): string {
  const letters = [...RESOLVED, ...topic]
  return letters.length <= MAX_TOPIC_LENGTH
    ? letters.join('')
    : `${letters
        .slice(0, MAX_TOPIC_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}

/** The name that a client asks for, where it asks to mark a topic that leaves no room for the mark. */
export const fittingTopic = (given: string, oldTopic: string): string =>
  given.trim() === RESOLVED + oldTopic ? marked(oldTopic) : given

const isSameButForMark = (oldTopic: string, newTopic: string): boolean =>
  withoutMark(oldTopic) === withoutMark(newTopic) || newTopic === marked(oldTopic)

/** Whether a topic is only marked as resolved, or as no longer resolved. */
export const isResolving = ({ from, to, oldTopic, newTopic }: Move): boolean =>
  from.id === to.id && isResolved(oldTopic) !== isResolved(newTopic) && isSameButForMark(oldTopic, newTopic)

/**
 * The messages that a move takes along, ascending: those of the topic that the user may read, as far as `mode` says.
 * @throws BadRequestError when the user may not move them; MoveTimeLimitExceededError when some are too old for that
 */
export function messagesToMove(
  ctx: RealmContext,
  tx: Tx,
  me: Me,
  message: EditedMessage,
  move: Move,
): number[] {
  const limits = assertMayMove(ctx, tx, me, move)
  const inTopic = messagesOfTopic(tx, me, move.from, move.oldTopic)
  const chosen = inTopic.filter(({ id }) => isChosen(id, message.id, move.mode))
  const oldest = tx.now - Math.min(...limits)
  const isNewEnough = ({ timestamp }: { timestamp: number }) => timestamp >= oldest
  if (!isModerator(me) && !chosen.every(isNewEnough)) {
    const idsOf = (messages: typeof inTopic) => messages.map(({ id }) => id)
    throw new MoveTimeLimitExceededError(idsOf(inTopic), idsOf(inTopic.filter(isNewEnough)))
  }
  const staysInChannel = move.from.id === move.to.id
  return chosen.filter(({ topic }) => !staysInChannel || topic !== move.newTopic).map(({ id }) => id)
}

const isChosen = (id: number, target: number, mode: PropagateMode): boolean =>
  mode === 'change_all' || id === target || (mode === 'change_later' && id > target)

/** @returns the time limits that hold for the move, in seconds */
function assertMayMove(ctx: RealmContext, tx: Tx, me: Me, move: Move): number[] {
  const { oldTopic, newTopic, mode } = move
  const { settings } = ctx.realm
  const access = new ChannelAccess(ctx, tx, me)
  const limits: (number | null)[] = []
  if (move.from.id !== move.to.id) {
    if (!access.holdsOfRealm('can_move_messages_between_channels_group')) {
      throw new BadRequestError("You don't have permission to move this message")
    }
    limits.push(settings.move_messages_between_streams_limit_seconds)
  }
  if (isResolved(oldTopic) !== isResolved(newTopic) || newTopic === RESOLVED.trim()) {
    if (oldTopic === '' && meantTopic(newTopic.replace(/^✔ ?/u, '')) === '') {
      throw new BadRequestError('The empty topic cannot be marked as resolved')
    }
    if (isResolved(oldTopic) !== isResolved(newTopic) && !access.holdsOfRealm('can_resolve_topics_group')) {
      throw new BadRequestError("You don't have permission to resolve topics")
    }
  }
  // Marking a whole topic moves nothing to where anybody would have to look for it.
  const isOnlyMarked = isSameButForMark(oldTopic, newTopic) && mode === 'change_all'
  if (oldTopic !== newTopic && !isOnlyMarked) {
    if (!access.holdsOfRealm('can_move_messages_between_topics_group')) {
      throw new BadRequestError("You don't have permission to edit this message")
    }
    limits.push(settings.move_messages_within_stream_limit_seconds)
  }
  return limits.filter((limit) => limit !== null)
}
