/** Keeps a user's choices for topics current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'

export type UserTopic = Omit<EventOf<'user_topic'>, 'type'>

export function applyToUserTopics(part: UserTopic[], event: EventOf<'user_topic'>): UserTopic[] {
  const { stream_id, topic_name, visibility_policy, last_updated } = event
  const isOther = (one: UserTopic) =>
    one.stream_id !== stream_id || keyOf(one.topic_name) !== keyOf(topic_name)
  const others = part.filter(isOther)
  if (visibility_policy === 0) return others
  const known = part.find((one) => !isOther(one))
  return inOrder([
    ...others,
    // However it is written, it is one topic; it stays written as it was first.
    { stream_id, topic_name: known?.topic_name ?? topic_name, visibility_policy, last_updated },
  ])
}

type MutedTopics = EventOf<'muted_topics'>['muted_topics']

/** Clients of old know muted topics by the name of the channel. */
export const renameChannel = (part: MutedTopics | undefined, from: string, to: string): MutedTopics =>
  (part ?? []).map(([name, topic, at]) => [name === from ? to : name, topic, at])

const keyOf = (topic: string): string => topic.toLowerCase()

const inOrder = (topics: UserTopic[]): UserTopic[] =>
  topics.sort((a, b) => a.stream_id - b.stream_id || (keyOf(a.topic_name) < keyOf(b.topic_name) ? -1 : 1))
