import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RequestContext } from '../../../context.ts'
import { boot } from '../../../test/boot.ts'
import { unsubscribe } from '../../channels/actions.ts'
import { channelByName } from '../../channels/store.ts'
import { userById } from '../../users/store.ts'
import { getMessages } from '../get-messages.ts'
import { inTurns, type Turns } from './turns.ts'

const facts = { realmUrl: '', onGone: () => {} } as never

function* turns(count: number, log: (turn: number) => void): Turns<string> {
  for (let turn = 1; turn < count; turn += 1) {
    log(turn)
    yield
  }
  log(count)
  return 'found'
}

test('what takes several turns lets others go between them, and one that waits at a time', async () => {
  const order: string[] = []
  let looks = 0
  const look = async () => {
    for (; looks < 100; looks += 1) await setImmediate()
  }
  const seen: number[] = []
  const work = (name: string) =>
    inTurns(
      turns(3, (turn) => {
        order.push(`${name}${turn}`)
        seen.push(looks)
      }),
    )
  const others = look()
  expect(await Promise.all([work('a'), work('b')])).toEqual(['found', 'found'])
  await others
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  // Each but the first of both after another look at what else there is to do.
  expect(new Set(seen.slice(1)).size).toBe(5)
})

test('what takes one turn is done at once; what nobody waits for ends', async () => {
  const done: number[] = []
  let leave = () => {}
  const request = { request: { onGone: (listener: () => void) => (leave = listener) } } as never
  const work = inTurns(
    turns(5, (turn) => done.push(turn)),
    request,
  )
  expect(done).toEqual([1])
  leave()
  await expect(work).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(done).toEqual([1])
  const once = inTurns(turns(1, (turn) => done.push(turn)))
  expect(done).toEqual([1, 1])
  expect(await once).toBe('found')
})

test('what is closed to its reader while more is looked for is not shown', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.join('general')
  await ann.join('secret', { invite_only: true })
  const id = await ann.say('general', 't', 'nothing')
  const hidden = await ann.say('secret', 't', 'see https://ci.example/')
  const { database } = server.running.server
  // Newer than the link, and so many that they are not looked at in one turn.
  database.run(
    `INSERT INTO messages (realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content, client,
       timestamp)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     SELECT realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content, client, timestamp
       FROM messages, n WHERE id = ?`,
    [id],
  )
  const ctx = new RequestContext(server.running.server, server.realm('test'), facts)
  const me = userById(ctx.db, ann.id)
  const channel = channelByName(ctx.db, 'secret')
  if (!me || !channel) throw new Error('There is no Ann, or no channel')
  const params = {
    anchor: 0,
    include_anchor: true,
    num_before: 0,
    num_after: 10,
    narrow: [['has', 'link']],
    allow_empty_topic_name: true,
  }
  const search = () =>
    getMessages.run(ctx, me as never, params as never) as Promise<{ messages: { id: number }[] }>
  expect((await search()).messages).toMatchObject([{ id: hidden }])
  const found = search()
  ctx.transact((tx) => unsubscribe(ctx, tx, channel, [me]))
  expect((await found).messages).toEqual([])
})
