/** The topics a user muted, unmuted or follows: their part of the register response. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { ChannelAccess } from '../channels/access.ts'
import { channelById } from '../channels/store.ts'
import { shownTopic } from '../messages/topics.ts'
import type { User } from '../users/access.ts'
import { type ShownUserTopic, userTopicsOf, Visibility, type VisibilityPolicy } from './store.ts'

/** What a user chose for topics of the channels that they may know of; what they chose elsewhere waits for them. */
export function visibleUserTopics(ctx: RealmContext, db: Reader, user: User): ShownUserTopic[] {
  const access = new ChannelAccess(ctx, db, user)
  const known = new Map<number, boolean>()
  return userTopicsOf(db, user.id).filter(({ channel_id }) => {
    let isSeen = known.get(channel_id)
    if (isSeen === undefined) {
      const channel = channelById(db, channel_id)
      isSeen = channel !== undefined && access.maySee(channel)
      known.set(channel_id, isSeen)
    }
    return isSeen
  })
}

export const presentUserTopics = (rows: readonly ShownUserTopic[], allowEmptyTopic: boolean) =>
  rows.map(({ channel_id, topic, visibility_policy, last_updated }) => ({
    stream_id: channel_id,
    topic_name: shownTopic(topic, allowEmptyTopic),
    visibility_policy: visibility_policy as VisibilityPolicy,
    last_updated,
  }))

/** The muted ones, as clients of old know them: channel name, topic, time of muting. */
export const mutedTopics = (
  rows: readonly ShownUserTopic[],
  allowEmptyTopic: boolean,
): [string, string, number][] =>
  rows
    .filter((row) => row.visibility_policy === Visibility.muted)
    .map((row) => [row.channel_name, shownTopic(row.topic, allowEmptyTopic), row.last_updated])
