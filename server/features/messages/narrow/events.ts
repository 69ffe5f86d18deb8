/** Narrows of event queues, as tests of a message that is sent. */
import type { EventOf } from '../../../events/union.ts'
import { BadRequestError } from '../../../http/errors.ts'
import { meantTopic, topicKey } from '../topics.ts'
import { RESOLVED_PREFIX, toTerm } from './terms.ts'

type Message = EventOf<'message'>['message']
/** @param flags the receiver's own */
export type EventTest = (message: Message, flags: readonly string[]) => boolean

const isChannelMessage = (message: Message): boolean => message.type === 'stream'
const isMentioned: EventTest = (_message, flags) =>
  flags.includes('mentioned') || flags.includes('wildcard_mentioned')

const states: Record<string, EventTest> = {
  dm: (message) => !isChannelMessage(message),
  private: (message) => !isChannelMessage(message),
  starred: (_message, flags) => flags.includes('starred'),
  unread: (_message, flags) => !flags.includes('read'),
  mentioned: isMentioned,
  alerted: (_message, flags) => flags.includes('has_alert_word'),
  resolved: (message) => isChannelMessage(message) && message.subject.startsWith(RESOLVED_PREFIX),
}

/** Each operator that a queue can be narrowed by. */
const operators: Record<string, (operand: string) => EventTest> = {
  channel: (operand) => (message) =>
    isChannelMessage(message) &&
    (String(message.stream_id) === operand || sameText(String(message.display_recipient), operand)),
  topic: (operand) => (message) =>
    isChannelMessage(message) && topicKey(message.subject) === topicKey(meantTopic(operand)),
  sender: (operand) => (message) =>
    String(message.sender_id) === operand || sameText(message.sender_email, operand),
  is: (operand) => {
    const test = Object.hasOwn(states, operand) ? states[operand] : undefined
    if (!test) throw new BadRequestError(`Operator is:${operand} not supported.`)
    return test
  },
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase()

/**
 * The messages a queue registered with this narrow is sent.
 * @throws BadRequestError for an operator that events cannot be narrowed by
 */
export function narrowToTest(narrow: readonly (readonly [string, string])[]): EventTest {
  const tests = narrow.map(([given, operand]): EventTest => {
    const { operator, negated } = toTerm([given, operand])
    const make = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (!make) throw new BadRequestError(`Operator ${given} not supported.`)
    const test = make(operand)
    return negated ? (message, flags) => !test(message, flags) : test
  })
  return (message, flags) => tests.every((test) => test(message, flags))
}
