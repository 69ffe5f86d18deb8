/** Narrows: which messages a client wants, as SQL on a message `m` or as a test of an event. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import type { SqlValue } from '../../db/database.ts'
import type { EventOf } from '../../events/union.ts'
import { BadRequestError } from '../../http/errors.ts'
import { ChannelAccess } from '../channels/access.ts'
import { type Channel, channelById, channelByName } from '../channels/store.ts'
import { type Me, type User, userByEmail } from '../users/access.ts'
import { userById } from '../users/store.ts'
import { closedConversationIds, hasOpenHistory } from './access.ts'
import { conversationOfChannel, findDirectConversation } from './conversations.ts'
import { HELD, RECEIVED } from './flags.ts'
import { meantTopic, topicKey } from './topics.ts'

const Operand = z.union([z.string(), z.int(), z.array(z.int())])
type Operand = z.output<typeof Operand>

/** An element of a narrow: an object, or a pair as older clients send. */
export const NarrowTerm = z.union([
  z.strictObject({ operator: z.string(), operand: Operand, negated: z.boolean().optional() }),
  z.tuple([z.string(), z.string()]),
])
export const Narrow = z.array(NarrowTerm).max(100)

interface Term {
  operator: string
  operand: Operand
  negated: boolean
}

/** Names that operators had before. */
const renamed: Record<string, string> = {
  stream: 'channel',
  'pm-with': 'dm',
  from: 'sender',
  subject: 'topic',
}

function toTerm(given: z.output<typeof NarrowTerm>): Term {
  const [operator, operand, negated] = Array.isArray(given)
    ? [given[0], given[1], false]
    : [given.operator, given.operand, given.negated ?? false]
  const minus = operator.startsWith('-')
  const name = minus ? operator.slice(1) : operator
  return { operator: renamed[name] ?? name, operand, negated: negated || minus }
}

export interface Condition {
  sql: string
  parameters: SqlValue[]
}

const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })

interface Asking {
  ctx: RealmContext
  db: Reader
  me: Me
}

/** Each operator as SQL. */
const operators: Record<string, (asking: Asking, operand: Operand) => Condition> = {
  channel: ({ db, ctx, me }, operand) => {
    const channel = channelOf(ctx, db, me, operand)
    return condition('m.conversation_id = ?', conversationOfChannel(db, channel.id))
  },
  topic: (_asking, operand) => {
    const topic = typeof operand === 'string' ? operand.trim() : invalid('topic', operand)
    return condition('m.topic_key = ?', topicKey(meantTopic(topic)))
  },
  sender: ({ db }, operand) => condition('m.sender_id = ?', userOf(db, operand).id),
  dm: ({ db, me }, operand) => {
    const id = findDirectConversation(db, [me.id, ...usersOf(db, operand).map((user) => user.id)])
    return condition('m.conversation_id = ?', id ?? -1)
  },
}

/**
 * The messages a user may read that fit a narrow.
 * @throws BadRequestError for an operator or operand that cannot be
 */
export function narrowToSql(asking: Asking, narrow: readonly z.output<typeof NarrowTerm>[]): Condition {
  const terms = narrow.map(toTerm)
  const parts = terms.map(({ operator, operand, negated }) => {
    const toSql = operators[operator]
    if (!toSql) throw new BadRequestError(`Invalid narrow operator: unknown operator ${operator}`)
    const part = toSql(asking, operand)
    return negated ? { ...part, sql: `NOT (${part.sql})` } : part
  })
  const conditions = [...parts, ...visibility(asking, terms)]
  // The plus keeps SQLite from walking through the whole realm where a conversation or sender says more.
  const isSelective = terms.some(({ operator, negated }) => !negated && operator !== 'topic')
  return {
    sql: [
      isSelective ? '+m.realm_id = :realm' : 'm.realm_id = :realm',
      ...conditions.map(({ sql }) => sql),
    ].join(' AND '),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

/** In one channel, all of its history that is open to the user; elsewhere, what the user received. */
function visibility({ ctx, db, me }: Asking, terms: readonly Term[]): Condition[] {
  const channelTerm = terms.find(({ operator, negated }) => operator === 'channel' && !negated)
  if (channelTerm) {
    const channel = channelOf(ctx, db, me, channelTerm.operand)
    if (!new ChannelAccess(ctx, db, me).mayRead(channel)) throw unknownChannel(channelTerm.operand)
    return hasOpenHistory(channel) ? [] : [condition(HELD, me.id, me.id)]
  }
  const closed = closedConversationIds(ctx, db, me)
  const notClosed = condition(
    'm.conversation_id NOT IN (SELECT value FROM json_each(?))',
    JSON.stringify(closed),
  )
  return [condition(RECEIVED, me.id), ...(closed.length > 0 ? [notClosed] : [])]
}

function channelOf(ctx: RealmContext, db: Reader, me: Me, operand: Operand): Channel {
  const id =
    typeof operand === 'number' ? operand : /^\d+$/.test(String(operand)) ? Number(operand) : undefined
  const byName = typeof operand === 'string' ? channelByName(db, operand) : undefined
  const channel = byName ?? (id === undefined ? undefined : channelById(db, id))
  if (!channel || !new ChannelAccess(ctx, db, me).maySee(channel)) throw unknownChannel(operand)
  return channel
}

const unknownChannel = (operand: Operand) =>
  new BadRequestError(`Invalid narrow operator: unknown channel ${String(operand)}`)

function userOf(db: Reader, which: string | number | Operand): User {
  const user =
    typeof which === 'number'
      ? userById(db, which)
      : typeof which === 'string'
        ? userByEmail(db, which)
        : undefined
  if (!user) throw new BadRequestError(`Invalid narrow operator: unknown user ${String(which)}`)
  return user
}

function usersOf(db: Reader, operand: Operand): User[] {
  if (typeof operand === 'number') return [userOf(db, operand)]
  if (typeof operand === 'string') return operand.split(',').map((email) => userOf(db, email))
  return operand.map((id) => userOf(db, id))
}

function invalid(operator: string, operand: Operand): never {
  throw new BadRequestError(`Invalid narrow operator: ${operator} cannot be ${JSON.stringify(operand)}`)
}

type MessageEvent = EventOf<'message'>
type EventTest = (message: MessageEvent['message']) => boolean

/** Each operator that a queue can be narrowed by, as a test of a message. */
const eventOperators: Record<string, (operand: string) => EventTest> = {
  channel: (operand) => (message) =>
    message.type === 'stream' &&
    (String(message.stream_id) === operand || sameText(String(message.display_recipient), operand)),
  topic: (operand) => (message) =>
    message.type === 'stream' && topicKey(message.subject) === topicKey(meantTopic(operand)),
  sender: (operand) => (message) =>
    String(message.sender_id) === operand || sameText(message.sender_email, operand),
  is: (operand) => {
    if (operand !== 'dm' && operand !== 'private')
      throw new BadRequestError(`Operator is:${operand} not supported.`)
    return (message) => message.type === 'private'
  },
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase()

/**
 * The messages a queue registered with this narrow is sent.
 * @throws BadRequestError for an operator that events cannot be narrowed by
 */
export function narrowToTest(narrow: readonly (readonly [string, string])[]): EventTest {
  const tests = narrow.map(([given, operand]) => {
    const { operator, negated } = toTerm([given, operand])
    const make = eventOperators[operator]
    if (!make) throw new BadRequestError(`Operator ${given} not supported.`)
    const test = make(operand)
    return negated ? (message: MessageEvent['message']) => !test(message) : test
  })
  return (message) => tests.every((test) => test(message))
}
