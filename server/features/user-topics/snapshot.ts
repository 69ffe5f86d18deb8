/** The topics a user muted, unmuted or follows: their part of the register response. */
import { shownTopic } from '../messages/topics.ts'
import { type ShownUserTopic, Visibility } from './store.ts'

export const presentUserTopics = (rows: readonly ShownUserTopic[], allowEmptyTopic: boolean) =>
  rows.map(({ channel_id, topic, visibility_policy, last_updated }) => ({
    stream_id: channel_id,
    topic_name: shownTopic(topic, allowEmptyTopic),
    visibility_policy,
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
