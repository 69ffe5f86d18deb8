/** What changes about reactions, and who hears of it: everybody who may have the message. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Emoji } from '../../services/emoji-data.ts'
import { channelById } from '../channels/store.ts'
import { reachOf } from '../messages/audience.ts'
import { placesOf } from '../messages/store.ts'
import { followAfterParticipating } from '../user-topics/actions.ts'
import { idsWhoMayNotAccess, type Me, type User } from '../users/access.ts'
import { asUnknown } from '../users/present.ts'
import { apiEmail } from '../users/visibility.ts'
import { type GivenEmoji, usableEmoji } from './emoji.ts'
import { ReactionAlreadyExistsError, ReactionDoesNotExistError } from './errors.ts'
import { deleteReaction, reactionsTo } from './store.ts'

/**
 * Reacts to a message that the user may read.
 * @throws BadRequestError for an emoji that is not there, or no longer and nobody has reacted with it
 * @throws ReactionAlreadyExistsError
 */
export function addReaction(ctx: RealmContext, tx: Tx, me: Me, messageId: number, given: GivenEmoji): void {
  const there = reactionsTo(tx, messageId)
  // Who joins in reacts with the same emoji under the same name, even if it can no longer be chosen.
  const joined = there.find((one) => matches(one, given))
  const emoji = joined ? pick(joined) : usableEmoji(tx, given)
  const isSame = (one: Emoji) =>
    one.emoji_code === emoji.emoji_code && one.reaction_type === emoji.reaction_type
  if (there.some((one) => one.user_id === me.id && isSame(one))) throw new ReactionAlreadyExistsError()
  const named = there.find(isSame)
  const stored = named ? pick(named) : emoji
  tx.insert('reactions', { message_id: messageId, user_id: me.id, ...stored })
  tell(ctx, tx, me, messageId, 'add', stored)
  const [place] = placesOf(tx, [messageId])
  if (place && place.channel_id !== null)
    followAfterParticipating(ctx, tx, me, { channelId: place.channel_id, topic: place.topic })
}

/** @throws ReactionDoesNotExistError */
export function removeReaction(
  ctx: RealmContext,
  tx: Tx,
  me: Me,
  messageId: number,
  given: Partial<GivenEmoji>,
): void {
  const own = reactionsTo(tx, messageId).filter((one) => one.user_id === me.id)
  const found = own.find((one) => matches(one, given))
  // Under another of its names it is the same emoji.
  const emoji =
    found ??
    (given.emoji_name === undefined ? undefined : usableEmoji(tx, { ...given, emoji_name: given.emoji_name }))
  if (!emoji || !deleteReaction(tx, messageId, me.id, emoji)) throw new ReactionDoesNotExistError()
  tell(ctx, tx, me, messageId, 'remove', pick(emoji))
}

const pick = ({ emoji_name, emoji_code, reaction_type }: Emoji): Emoji => ({
  emoji_name,
  emoji_code,
  reaction_type,
})

/** Whether it is the emoji that was given, by code where there is one. */
const matches = (one: Emoji, { emoji_name, emoji_code, reaction_type }: Partial<GivenEmoji>): boolean =>
  (emoji_code === undefined ? one.emoji_name === emoji_name : one.emoji_code === emoji_code) &&
  (emoji_name === undefined || one.emoji_name === emoji_name) &&
  (reaction_type === undefined
    ? emoji_code === undefined || isLikeliest(one)
    : one.reaction_type === reaction_type)

/** Without a type a code means a character. */
const isLikeliest = ({ reaction_type }: Emoji): boolean => reaction_type === 'unicode_emoji'

function tell(
  ctx: RealmContext,
  tx: Tx,
  me: Me,
  message_id: number,
  op: 'add' | 'remove',
  emoji: Emoji,
): void {
  const [place] = placesOf(tx, [message_id])
  if (!place) return
  const channel = place.channel_id === null ? null : (channelById(tx, place.channel_id) ?? null)
  const strangers = idsWhoMayNotAccess(ctx, tx, me)
  const reached = [...reachOf(ctx, tx, channel, [message_id]).userIds]
  const tellAs = (seen: User, to: number[]): void => {
    if (to.length === 0) return
    const { full_name } = seen
    const user = { user_id: me.id, email: apiEmail(ctx.realm, seen), full_name, is_mirror_dummy: false }
    tx.emit({ type: 'reaction', op, message_id, ...emoji, user_id: me.id, user }, { to })
  }
  tellAs(
    me,
    reached.filter((id) => !strangers.has(id)),
  )
  tellAs(
    asUnknown(ctx.realm, me),
    reached.filter((id) => strangers.has(id)),
  )
}
