import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boot, type Person } from '../../../test/boot.ts'

/** What a message is, as the naive filter sees it. */
interface Known {
  id: number
  channel: string | null
  topic: string
  sender: number
  users: number[]
  words: string[]
  hasLink: boolean
  read: boolean
  starred: boolean
}
type Term = [operator: string, operand: string | number]

const topics = ['alpha', 'Beta', '✔ alpha', 'gamma ray']
const words = ['red', 'green', 'blue', 'https://ci.example/red']

/** So often there is each message once more, with a later id. */
const COPIES = 12

/**
 * Some thousand messages of three people in two channels and all their direct conversations, some starred and read.
 * @param step between the ids of most of them
 */
async function office(step: number) {
  const server = await boot()
  const people = [await server.as('ann'), await server.as('bob'), await server.as('cat')]
  const [ann, bob, cat] = people as [Person, Person, Person]
  await ann.join(['one', 'two'], { principals: people.map(({ id }) => id) })
  const known: Known[] = []
  let seed = 7
  const pick = <T>(values: readonly T[]): T => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return values[Math.floor(seed / 2 ** 16) % values.length] as T
  }
  for (let i = 0; i < 240; i += 1) {
    const sender = pick(people)
    const content = [pick(words), pick(words)]
    const channel = pick(['one', 'two', null])
    const topic = channel === null ? '' : pick(topics)
    const others = pick([[ann], [bob], [cat], [ann, bob], [bob, cat], [ann, bob, cat]])
    const id = channel
      ? await sender.say(channel, topic, content.join(' '))
      : await sender.tell(others, content.join(' '))
    known.push({
      id,
      channel,
      topic: topic.toLowerCase(),
      sender: sender.id,
      users: channel
        ? []
        : [...new Set([sender.id, ...others.map((other) => other.id)])].sort((a, b) => a - b),
      words: content
        .flatMap((word) => word.toLowerCase().split(/\W+/))
        .concat(topic.toLowerCase().split(/[^a-z]+/)),
      hasLink: content.some((word) => word.startsWith('https:')),
      read: false,
      starred: false,
    })
  }
  const { database } = server.running.server
  database.run("UPDATE messages SET contents = 1 WHERE content LIKE '%https:%'")
  const originals = [...known]
  const last = known.at(-1)?.id ?? 0
  database.transact(() => {
    for (let copy = 0; copy < COPIES; copy += 1) {
      for (const [i, original] of originals.entries()) {
        const id = last + (copy * originals.length + i + 1) * step
        known.push({ ...original, id })
        database.run(
          `INSERT INTO messages (id, realm_id, conversation_id, sender_id, topic, topic_key, content,
             rendered_content, client, timestamp, contents)
           SELECT ?, realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content, client,
             timestamp, contents FROM messages WHERE id = ?`,
          [id, original.id],
        )
      }
    }
  })
  const readable = known.filter(({ channel, users }) => channel !== null || users.includes(ann.id))
  for (const flag of ['read', 'starred'] as const) {
    const messages = readable.filter(() => pick([true, false])).map(({ id }) => id)
    await ann.post('/messages/flags', { messages, op: 'add', flag })
    const marked = new Set(messages)
    for (const message of readable) if (marked.has(message.id)) message[flag] = true
  }
  return { ann, bob, cat, readable }
}

const phrases = (text: string): string[] =>
  text.startsWith('"') ? [text.replaceAll('"', '')] : text.split(' ')

/** The same language, one message at a time. */
function fits(message: Known, [operator, operand]: Term, ann: Person): boolean {
  const users = typeof operand === 'string' ? operand.split(',').map(Number) : [operand]
  switch (operator) {
    case 'channel':
      return message.channel === operand
    case 'channels':
      return message.channel !== null
    case 'topic':
      return message.channel !== null && message.topic === String(operand).toLowerCase()
    case 'sender':
      return message.sender === operand
    case 'dm':
      return message.users.join() === [...new Set([ann.id, ...users])].sort((a, b) => a - b).join()
    case 'dm-including':
      return message.users.length > 0 && users.every((id) => message.users.includes(id))
    case 'id':
      return message.id === operand
    case 'search':
      return phrases(String(operand)).every((phrase) =>
        ` ${message.words.join(' ')} `.includes(` ${phrase} `),
      )
    case 'has':
      return operand === 'link' && message.hasLink
    case 'is':
      if (operand === 'dm') return message.channel === null
      if (operand === 'starred') return message.starred
      if (operand === 'unread') return !message.read
      return message.topic.startsWith('✔ ')
    default:
      throw new TypeError(operator)
  }
}

// Close together, so that a word is common among them, and far apart.
test.each([[1], [40]])(
  'any narrow finds what a filter finds: ids %i apart',
  { timeout: 120_000 },
  async (step) => {
    const { ann, bob, cat, readable } = await office(step)
    const ids = readable.map(({ id }) => id)
    const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
    const term: fc.Arbitrary<Term> = fc.oneof(
      oneOf('one', 'two').map((name): Term => ['channel', name]),
      fc.constant<Term>(['channels', 'public']),
      oneOf(...topics, 'BETA').map((name): Term => ['topic', name]),
      oneOf(ann.id, bob.id, cat.id).map((id): Term => ['sender', id]),
      oneOf(`${bob.id}`, `${bob.id},${cat.id}`, `${ann.id}`).map((list): Term => ['dm', list]),
      oneOf(bob.id, ann.id).map((id): Term => ['dm-including', id]),
      oneOf(...ids).map((id): Term => ['id', id]),
      oneOf('red', 'green blue', 'alpha', 'ci red', '"example red"', '"red red"').map(
        (text): Term => ['search', text],
      ),
      fc.constant<Term>(['has', 'link']),
      oneOf('dm', 'starred', 'unread', 'resolved').map((state): Term => ['is', state]),
    )
    const narrow = fc.array(fc.record({ term, negated: fc.boolean() }), { maxLength: 4 })
    const anchor = fc.oneof(oneOf('newest', 'oldest', 'first_unread'), oneOf(...ids))
    const counts = fc.record({ num_before: fc.nat({ max: 30 }), num_after: fc.nat({ max: 30 }) })
    await fc.assert(
      fc.asyncProperty(
        narrow,
        anchor,
        counts,
        fc.boolean(),
        async (terms, at, { num_before, num_after }, include) => {
          const wanted = readable
            .filter((message) => terms.every(({ term: one, negated }) => fits(message, one, ann) !== negated))
            .map(({ id }) => id)
          const unread = readable.find(({ id, read }) => wanted.includes(id) && !read)?.id
          const given = { newest: Infinity, oldest: 0, first_unread: unread ?? Infinity }
          const from = typeof at === 'number' ? at : given[at as keyof typeof given]
          const before = wanted.filter((id) => id < from)
          const after = wanted.filter((id) => id > from)
          const reply = await ann.get('/messages', {
            anchor: at,
            num_before,
            num_after,
            include_anchor: include,
            narrow: terms.map(({ term: [operator, operand], negated }) => ({ operator, operand, negated })),
          })
          const found = {
            ids: reply['messages'].map(({ id }: { id: number }) => id),
            oldest: reply['found_oldest'],
            newest: reply['found_newest'],
            anchor: reply['found_anchor'],
          }
          const isThere = include && wanted.includes(from)
          expect(found).toEqual({
            ids: [
              ...before.slice(Math.max(0, before.length - num_before)),
              ...(isThere ? [from] : []),
              ...after.slice(0, num_after),
            ],
            oldest: before.length <= num_before,
            newest: after.length <= num_after,
            anchor: isThere,
          })
        },
      ),
      { numRuns: 150 },
    )
  },
)
