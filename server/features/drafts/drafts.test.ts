import { describe, expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const toSelf = (content: string) => ({ type: '', to: [], topic: '', content })

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.join('general')
  const [{ stream_id }] = (await ann.get('/streams'))['streams']
  return { server, ann, stream_id: stream_id as number }
}

describe('drafts', () => {
  test('are made, changed and deleted on every device of one user', async () => {
    const { server, ann, stream_id } = await office()
    const bob = await server.listenAs('bob')
    await ann.listen()
    const old = await server.listenAs('ann', 'member', { client_capabilities: {} })
    const drafts = [
      { type: 'stream', to: [stream_id], topic: 'general chat', content: ' one \n', timestamp: 17 },
      { type: 'private', to: [bob.id], topic: 'ignored', content: 'two' },
      toSelf('three'),
    ]
    const { ids } = await ann.post('/drafts', { drafts })
    expect(await ann.post('/drafts')).toMatchObject({ ids: [] })
    const [one, two, three] = ids as number[]
    const stored = { id: one, type: 'stream', to: [stream_id], topic: '', content: ' one', timestamp: 17 }
    expect(await ann.events()).toMatchObject([
      {
        type: 'drafts',
        op: 'add',
        drafts: [
          stored,
          { id: two, type: 'private', to: [bob.id], topic: '', content: 'two' },
          { id: three, type: '', to: [], topic: '', content: 'three' },
        ],
      },
    ])
    await ann.patch(`/drafts/${one}`, { draft: { ...stored, content: 'uno' } })
    await ann.delete(`/drafts/${three}`)
    expect(await ann.events()).toMatchObject([
      { op: 'update', draft: { ...stored, content: 'uno' } },
      { op: 'remove', draft_id: three },
    ])
    expect(await old.events()).toMatchObject([
      { drafts: [{ topic: 'general chat' }, { topic: '' }, { topic: '' }] },
      { draft: { topic: 'general chat' } },
      { op: 'remove' },
    ])
    expect(await bob.events()).toEqual([])
    expect(await ann.get('/drafts')).toMatchObject({ count: 2, drafts: [{ content: 'uno' }, { id: two }] })
    expect((await ann.listen({ fetch_event_types: ['drafts'] }))['drafts']).toMatchObject([
      { ...stored, content: 'uno' },
      { id: two },
    ])
    expect((await bob.listen({ fetch_event_types: ['drafts'] }))['drafts']).toEqual([])
    for (const [method, params] of [
      ['PATCH', { draft: toSelf('x') }],
      ['DELETE', {}],
    ] as const) {
      await bob.refused(method, `/drafts/${one}`, params, 'BAD_REQUEST', 404)
      await ann.refused(method, `/drafts/${three}`, params, 'BAD_REQUEST', 404)
    }
  })

  test.each([
    [{ ...toSelf(' ') }],
    [{ ...toSelf('a\0b') }],
    [{ ...toSelf('x'.repeat(10_001)) }],
    [{ ...toSelf('x'), timestamp: -1 }],
    [{ ...toSelf('x'), type: 'channel' }],
    [{ ...toSelf('x'), more: 1 }],
    [{ ...toSelf('x'), type: 'stream' }],
    [{ ...toSelf('x'), type: 'stream', to: [1, 2] }],
    [{ ...toSelf('x'), type: 'stream', to: [4711] }],
    [{ ...toSelf('x'), type: 'stream', to: [1], topic: 'x'.repeat(61) }],
    [{ ...toSelf('x'), type: 'private', to: [4711] }],
    [{ type: '', to: [], content: 'x' }],
  ])('%# is refused, and nothing beside it is kept', async (draft) => {
    const { ann } = await office()
    await ann.refused('POST', '/drafts', { drafts: [toSelf('good'), draft] }, 'BAD_REQUEST')
    expect(await ann.get('/drafts')).toMatchObject({ count: 0 })
  })

  test('stay on the devices of those who want that', async () => {
    const { ann } = await office()
    await ann.post('/drafts', { drafts: [toSelf('x')] })
    await ann.patch('/settings', { enable_drafts_synchronization: false })
    await ann.refused('GET', '/drafts', {}, 'BAD_REQUEST')
    await ann.refused('POST', '/drafts', { drafts: [toSelf('x')] }, 'BAD_REQUEST')
    expect((await ann.listen({ fetch_event_types: ['drafts'] }))['drafts']).toEqual([])
    // What was kept here is gone.
    await ann.patch('/settings', { enable_drafts_synchronization: true })
    expect(await ann.get('/drafts')).toMatchObject({ count: 0 })
  })

  test('there are at most a thousand', async () => {
    const { ann } = await office()
    const many = Array.from({ length: 500 }, () => toSelf('x'))
    await ann.post('/drafts', { drafts: many })
    await ann.post('/drafts', { drafts: many })
    await ann.refused('POST', '/drafts', { drafts: [toSelf('x')] }, 'BAD_REQUEST')
  })
})

test('clients know that no drafts are kept here once they are not to be', async () => {
  const ann = await (await boot()).as('ann')
  await ann.post('/drafts', {
    drafts: [{ type: '', to: [], topic: '', content: 'c', timestamp: 1_700_000_000 }],
  })
  await expectConverges(ann, () => ann.patch('/settings', { enable_drafts_synchronization: false }))
})
