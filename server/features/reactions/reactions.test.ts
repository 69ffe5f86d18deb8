import { describe, expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { boot } from '../../test/boot.ts'

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general')
  await bob.join('general')
  const id = await ann.say('general', 't', 'hello')
  return { server, ann, bob, id, path: `/messages/${id}/reactions` }
}

const smile = { emoji_name: 'smile', emoji_code: '1f604', reaction_type: 'unicode_emoji' }

describe('a reaction', () => {
  test('is told to those who may have the message, and to nobody else', async () => {
    const { server, ann, bob, path, id } = await office()
    const cat = await server.as('cat')
    const gus = await server.listenAs('gus', 'guest')
    await ann.listen({ event_types: ['reaction'] })
    await bob.listen({ event_types: ['reaction'] })
    // Whoever may read a public channel may react there; only who has the message hears of it.
    await cat.listen({ event_types: ['reaction'] })
    await cat.post(path, { emoji_name: 'smile' })
    const told = { type: 'reaction', message_id: id, ...smile, user_id: cat.id, user: { user_id: cat.id } }
    await cat.refused('POST', path, { emoji_name: 'smile' }, 'REACTION_ALREADY_EXISTS')
    expect(await ann.get(`/messages/${id}`)).toMatchObject({
      message: { reactions: [{ ...smile, user_id: cat.id }] },
    })
    await cat.delete(path, { emoji_name: 'smile' })
    await cat.refused('DELETE', path, { emoji_name: 'smile' }, 'REACTION_DOES_NOT_EXIST')
    for (const person of [ann, bob]) {
      expect(await person.events()).toMatchObject([
        { ...told, op: 'add' },
        { ...told, op: 'remove' },
      ])
    }
    expect(await cat.events()).toEqual([])
    expect((await gus.events()).filter(({ type }) => type === 'reaction')).toEqual([])
    await gus.refused('POST', path, { emoji_name: 'smile' }, 'BAD_REQUEST')
    await ann.refused('POST', '/messages/4711/reactions', { emoji_name: 'smile' }, 'BAD_REQUEST')
  })

  test('is of an emoji that there is, under its own name', async () => {
    const { ann, bob, path } = await office()
    await ann.post(path, smile)
    const refuse = (params: object) => ann.refused('POST', path, { ...params }, 'BAD_REQUEST')
    await refuse({ emoji_name: 'no_such_emoji' })
    await refuse({ ...smile, emoji_code: '1f605' })
    await refuse({ ...smile, emoji_name: 'tada' })
    await refuse({ ...smile, reaction_type: 'realm_emoji' })
    await refuse({ ...smile, reaction_type: 'nonsense' })
    await ann.post(path, { emoji_name: 'parley', emoji_code: 'parley', reaction_type: 'svc_extra_emoji' })
    await ann.refused('DELETE', path, {}, 'BAD_REQUEST')
    await bob.refused('DELETE', path, smile, 'REACTION_DOES_NOT_EXIST')
    await ann.delete(path, { emoji_code: '1f604', reaction_type: 'unicode_emoji' })
  })

  test('of a picture that was taken away can be joined and taken back, but not begun', async () => {
    const { server, ann, bob, path } = await office()
    const ctx = new RealmContext(server.running.server, server.realm('test'))
    const emojiId = ctx.transact((tx) =>
      tx.insert('realm_emoji', { name: 'office_cat', author_id: ann.id, file_name: 'x.png', is_animated: 0 }),
    )
    const cat = { emoji_name: 'office_cat', emoji_code: String(emojiId), reaction_type: 'realm_emoji' }
    await ann.post(path, { emoji_name: 'office_cat' })
    const other = await ann.say('general', 't', 'another')
    ctx.transact((tx) => tx.runSql('UPDATE realm_emoji SET deactivated = 1 WHERE realm_id = :realm'))
    await bob.refused('POST', `/messages/${other}/reactions`, cat, 'BAD_REQUEST')
    await bob.post(path, cat)
    await ann.delete(path, cat)
    await bob.delete(path, cat)
    await bob.refused('POST', path, cat, 'BAD_REQUEST')
  })
})
