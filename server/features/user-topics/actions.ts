/** What changes about how prominent topics are to users: by choice, and by taking part in them. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { type Channel, channelById, subscriptionOf } from '../channels/store.ts'
import { hasOpenHistory } from '../messages/access.ts'
import { firstSenderOfTopic } from '../messages/store.ts'
import { settingsOf } from '../user-settings/settings.ts'
import type { User } from '../users/access.ts'
import { userById, usersByIds } from '../users/store.ts'
import { mutedTopics, presentUserTopics, visibleUserTopics } from './snapshot.ts'
import {
  muterIdsIn,
  storeVisibility,
  type TopicPlace,
  userIdsWithTopicsIn,
  Visibility,
  visibilityByUser,
  visibilityOf,
  type VisibilityPolicy,
} from './store.ts'

/** Sets a user's choice for a topic, and tells that user's clients. What is so already changes nothing. */
export function setVisibility(
  ctx: RealmContext,
  tx: Tx,
  userId: number,
  place: TopicPlace,
  visibility_policy: VisibilityPolicy,
): void {
  const before = visibilityOf(tx, userId, place)
  if (before === visibility_policy) return
  storeVisibility(tx, userId, place, visibility_policy)
  if (before === Visibility.muted || visibility_policy === Visibility.muted)
    tellOfMutedTopics(ctx, tx, userId)
  const { channelId: stream_id, topic: topic_name } = place
  // No snapshot tells of choices in an archived channel either.
  if (visibility_policy !== Visibility.none && channelById(tx, stream_id)?.is_archived) return
  tx.emit(
    { type: 'user_topic', stream_id, topic_name, last_updated: tx.now, visibility_policy },
    { to: [userId] },
  )
}

function tellOfMutedTopics(ctx: RealmContext, tx: Tx, userId: number): void {
  const user = userById(tx, userId)
  if (!user) return
  const muted_topics = mutedTopics(visibleUserTopics(ctx, tx, user), true)
  tx.emit({ type: 'muted_topics', muted_topics }, { to: [userId] })
}

/** Tells those to whom a channel has come in sight what they once chose for its topics. */
export function tellOfTopicsIn(ctx: RealmContext, tx: Tx, channelId: number, to: readonly number[]): void {
  for (const userId of userIdsWithTopicsIn(tx, channelId, to)) {
    const user = userById(tx, userId)
    if (!user) continue
    const here = visibleUserTopics(ctx, tx, user).filter(({ channel_id }) => channel_id === channelId)
    if (here.some(({ visibility_policy }) => visibility_policy === Visibility.muted))
      tellOfMutedTopics(ctx, tx, userId)
    for (const topic of presentUserTopics(here, true)) {
      tx.emit({ type: 'user_topic', ...topic }, { to: [userId] })
    }
  }
}

/**
 * Tells those for whom a channel is gone which topics they still have muted: clients of old know it by its name, which
 * another channel may get. What else was chosen there clients forget together with the channel.
 */
export function tellOfTopicsGone(ctx: RealmContext, tx: Tx, channelId: number, to: readonly number[]): void {
  const muters = muterIdsIn(tx, channelId)
  const losers = muters.length > 0 ? new Set(to) : null
  for (const userId of muters) if (losers?.has(userId)) tellOfMutedTopics(ctx, tx, userId)
}

/** Values of the policies by which a topic is followed, or unmuted in a muted channel. */
const When = { participated: 1, sent: 2, started: 3 } as const

/**
 * Follows or unmutes the topic of a message that a person has just sent, where their settings ask for it. It only
 * ever makes a topic more prominent.
 * @returns the new choice, if there is one
 */
export function followAfterSending(
  ctx: RealmContext,
  tx: Tx,
  sender: User,
  channel: Channel,
  topic: string,
): typeof Visibility.unmuted | typeof Visibility.followed | undefined {
  if (sender.is_bot) return undefined
  const place = { channelId: channel.id, topic }
  const current = visibilityOf(tx, sender.id, place)
  if (current === Visibility.followed) return undefined
  const isStarter = (): boolean =>
    current === Visibility.none &&
    firstSenderOfTopic(tx, sender.id, channel.id, topic, hasOpenHistory(channel)) === sender.id
  const wanted = (policy: number): boolean =>
    policy === When.participated || policy === When.sent || (policy === When.started && isStarter())
  return raise(ctx, tx, sender, place, current, wanted)
}

/** {@link followAfterSending}, for who reacts or votes. */
export function followAfterParticipating(ctx: RealmContext, tx: Tx, user: User, place: TopicPlace): void {
  if (user.is_bot) return
  const current = visibilityOf(tx, user.id, place)
  raise(ctx, tx, user, place, current, (policy) => policy === When.participated)
}

function raise(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  place: TopicPlace,
  current: VisibilityPolicy,
  wanted: (policy: number) => boolean,
): typeof Visibility.unmuted | typeof Visibility.followed | undefined {
  const settings = settingsOf(user)
  const isMuted = () => subscriptionOf(tx, user.id, place.channelId)?.is_muted === 1
  const next = wanted(settings.automatically_follow_topics_policy)
    ? Visibility.followed
    : wanted(settings.automatically_unmute_topics_in_muted_streams_policy) && isMuted()
      ? Visibility.unmuted
      : Visibility.none
  if (next <= current) return undefined
  setVisibility(ctx, tx, user.id, place, next)
  return next || undefined
}

/** Follows a topic for those mentioned in it by name whose settings ask for it, unless they muted it. */
export function followWhereMentioned(
  ctx: RealmContext,
  tx: Tx,
  userIds: Iterable<number>,
  place: TopicPlace,
): void {
  const ids = [...userIds]
  if (ids.length === 0) return
  const chosen = visibilityByUser(tx, place)
  for (const user of usersByIds(tx, ids)) {
    if (!user.is_active || user.is_bot || chosen.get(user.id) === Visibility.muted) continue
    if (!settingsOf(user).automatically_follow_topics_where_mentioned) continue
    setVisibility(ctx, tx, user.id, place, Visibility.followed)
  }
}

/**
 * Takes what people chose for a topic along when the whole of it moves.
 * @param isMerge whether there were messages at the new place: then the more prominent of both choices holds, and a
 *   topic stays muted only for those who muted both
 * @param mayRead whether a user may read the new place; who may not keeps no choice for it
 */
export function moveUserTopics(
  ctx: RealmContext,
  tx: Tx,
  from: TopicPlace,
  to: TopicPlace,
  { isMerge, mayRead = () => true }: { isMerge: boolean; mayRead?: (userId: number) => boolean },
): void {
  const before = visibilityByUser(tx, from)
  const there = visibilityByUser(tx, to)
  for (const userId of new Set([...before.keys(), ...there.keys()])) {
    const old = before.get(userId) ?? Visibility.none
    const known = there.get(userId) ?? Visibility.none
    setVisibility(ctx, tx, userId, from, Visibility.none)
    if (!mayRead(userId)) continue
    setVisibility(ctx, tx, userId, to, isMerge ? merged(old, known) : old)
  }
}

function merged(a: VisibilityPolicy, b: VisibilityPolicy): VisibilityPolicy {
  const higher = a > b ? a : b
  return higher === Visibility.muted && a !== b ? Visibility.none : higher
}
