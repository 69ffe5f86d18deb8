/** Topic names (specification, "Empty topic rule"). */
import { BadRequestError } from '../../http/errors.ts'
import type { Realm } from '../realms/store.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, MAX_TOPIC_LENGTH } from '../realms/settings.ts'

/** A topic as it is compared. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase()

/** Names that stand for the empty topic. */
const isEmptyTopic = (topic: string): boolean =>
  topic === '' || topic === '(no topic)' || topic === EMPTY_TOPIC_DISPLAY_NAME

/** The topic that a name stands for. */
export const meantTopic = (name: string): string => (isEmptyTopic(name) ? '' : name)

/**
 * The topic that a name given by a client means for a message.
 * @throws BadRequestError when it is too long, unprintable, or empty where topics are required
 */
export function parseTopic(realm: Realm, given: string): string {
  const topic = nameTopic(given)
  if (topic === '' && realm.settings.mandatory_topics)
    throw new BadRequestError('Topics are required in this organization.')
  return topic
}

/** {@link parseTopic} of a topic that is only spoken of. @throws BadRequestError when it is too long or unprintable */
export function nameTopic(given: string): string {
  const topic = given.trim()
  if (isEmptyTopic(topic)) return ''
  assertCanBeTopic(topic)
  return topic
}

/** @throws BadRequestError when a name is too long or unprintable */
export function assertCanBeTopic(topic: string): void {
  if ([...topic].length > MAX_TOPIC_LENGTH) {
    throw new BadRequestError(`Topic is too long: at most ${MAX_TOPIC_LENGTH} characters`)
  }
  if (/\p{Cc}|\p{Cs}|\p{Cn}/u.test(topic)) throw new BadRequestError('Invalid character in topic!')
}

/** The name of a topic for a client that may not be able to show an empty one. */
export const shownTopic = (topic: string, allowEmpty: boolean): string =>
  topic === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic
