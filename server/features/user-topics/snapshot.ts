/** The topics a user muted, unmuted or follows: their part of the register response. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { ChannelAccess, perChannel } from '../channels/access.ts'
import { shownTopic } from '../messages/topics.ts'
import type { User } from '../users/access.ts'
import { type ShownUserTopic, userTopicsOf, Visibility, type VisibilityPolicy } from './store.ts'

/** What a user chose for topics of the channels that they may know of; what they chose elsewhere waits for them. */
export function visibleUserTopics(ctx: RealmContext, db: Reader, user: User): ShownUserTopic[] {
  const access = new ChannelAccess(ctx, db, user)
  const isSeen = perChannel(db, (channel) => access.maySee(channel))
  return userTopicsOf(db, user.id).filter(({ channel_id }) => isSeen(channel_id))
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
