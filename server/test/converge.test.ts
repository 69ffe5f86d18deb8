/**
 * Whatever people do, whoever listens knows by events what a newcomer is told. In its long form by
 * `npm run torture -- 7 converge`, and with the seed of the day without the number.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boot, Person, type TestServer } from './boot.ts'
import { Keeper } from './converges.ts'
import { step, type Step, take } from './random-operations.ts'

const roles = { owner: 'owner', adam: 'administrator', ann: 'member', bob: 'member', gus: 'guest' } as const
/** Who keeps a snapshot with a client of old. */
const old = new Set<string>(['bob'])

const sequences = Number(process.env['PARLEY_SEQUENCES'] ?? 12)
const seed = Number(process.env['PARLEY_SEED'] ?? 7)

test('random operations', async () => {
  const server = await boot()
  let count = 0
  const property = fc.asyncProperty(
    fc.array(step(Object.keys(roles).length), { minLength: 1, maxLength: 25, size: 'max' }),
    async (steps) => {
      count += 1
      await converges(server, `r${count}`, steps)
    },
  )
  await fc.assert(property, { seed, numRuns: sequences, interruptAfterTimeLimit: 3_600_000 })
}, 4_000_000)

async function converges(server: TestServer, realm: string, steps: readonly Step[]): Promise<void> {
  const realmId = server.realm(realm).id
  const people: Person[] = []
  for (const [name, role] of Object.entries(roles)) {
    const { base, apiKey, id } =
      name === 'owner' ? await server.owner(realm) : await server.as(name, role, realm)
    // An address that stays whatever happens to the real one.
    people.push(new Person(base, `user${id}@${realm}.local`, apiKey, id))
  }
  const [owner] = people as [Person]
  await owner.join(['alpha'], { principals: people.map(({ id }) => id) })
  await owner.say('alpha', 'plan', 'hello')
  await owner.post('/user_groups/create', { name: 'alpha', description: '', members: [people[2]?.id] })
  await owner.post('/realm/profile_fields', { name: 'field', field_type: 1 })
  await people[2]?.post('/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 1 })
  for (const person of people) await person.post('/saved_snippets', { title: 'a', content: 'b' })
  const keepers = []
  for (const [i, name] of Object.keys(roles).entries()) {
    keepers.push(await Keeper.start(people[i] as Person, old.has(name) ? 'legacy' : 'modern'))
  }
  const sent: string[] = []
  for (const step of steps) {
    const { request, by, reply } = await take(server, people, realmId, step)
    sent.push(`${by} ${JSON.stringify(request).slice(0, 300)} ${reply.body['msg'] || 'done'}`)
    expect(reply.status, sent.at(-1)).toBeLessThan(500)
  }
  const { hub } = server.running.server
  const open = new Set([...hub.all()].map(({ id }) => id))
  for (const keeper of keepers) {
    // Who was deactivated has no queue any more.
    if (!open.has(keeper.person.queueId)) continue
    await keeper.assertCurrent().catch((error: unknown) => {
      throw new Error(`${sent.join('\n')}\n${error instanceof Error ? error.message : String(error)}`)
    })
  }
  for (const queue of [...hub.all()]) if (queue.realmId === realmId) hub.remove(queue)
}
