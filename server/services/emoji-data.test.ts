import { expect, test } from 'vitest'
import { RealmContext } from '../context.ts'
import { boot } from '../test/boot.ts'
import { codeOfEmoji, findEmoji, namesOfEmoji } from './emoji-data.ts'

test('characters have one code and several names', () => {
  expect(codeOfEmoji('+1')).toBe('1f44d')
  expect(codeOfEmoji('heart')).toBe('2764')
  expect(namesOfEmoji('1f44d')).toEqual(expect.arrayContaining(['+1', 'thumbs_up']))
  expect(namesOfEmoji('1f389')[0]).toBe('tada')
  expect(codeOfEmoji('constructor')).toBeUndefined()
  expect(namesOfEmoji('constructor')).toEqual([])
})

test('custom emoji of the realm win over characters, until they are deactivated', async () => {
  const server = await boot()
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  const other = new RealmContext(server.running.server, server.realm('other'))
  const picture = { author_id: null, file_name: 'x.png', is_animated: 0 } as const
  const id = ctx.transact((tx) => tx.insert('realm_emoji', { name: 'green_tick', ...picture }))
  ctx.transact((tx) => {
    tx.insert('realm_emoji', { name: 'tada', ...picture })
    tx.insert('realm_emoji', { name: 'rocket', ...picture, deactivated: 1 })
  })
  expect(findEmoji(ctx.db, 'Green tick')).toEqual({
    emoji_name: 'green_tick',
    emoji_code: String(id),
    reaction_type: 'realm_emoji',
  })
  expect(findEmoji(other.db, 'green_tick')).toBeUndefined()
  expect(findEmoji(ctx.db, 'tada')?.reaction_type).toBe('realm_emoji')
  expect(findEmoji(other.db, 'tada')?.reaction_type).toBe('unicode_emoji')
  expect(findEmoji(ctx.db, 'rocket')?.reaction_type).toBe('unicode_emoji')
  expect(findEmoji(ctx.db, 'parley')).toMatchObject({
    emoji_code: 'parley',
    reaction_type: 'svc_extra_emoji',
  })
  expect(findEmoji(ctx.db, 'no_such_thing')).toBeUndefined()
})

test('clients fetch the names where the register response says, without credentials', async () => {
  const server = await boot()
  const owner = await server.owner()
  const { server_emoji_data_url } = await owner.listen({ fetch_event_types: ['realm'] })
  const reply = await fetch(server_emoji_data_url)
  expect(reply.status).toBe(200)
  const { code_to_names } = (await reply.json()) as { code_to_names: Record<string, string[]> }
  expect(code_to_names['1f680']).toContain('rocket')
  expect((await fetch(`${server.url}/r/test/static/emoji/parley.svg`)).headers.get('content-type')).toContain(
    'svg',
  )
})
