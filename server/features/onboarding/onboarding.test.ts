import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('an introduction that was seen is not shown again, on no device', async () => {
  const server = await boot()
  const bob = await server.as('bob')
  const ann = await server.listenAs('ann')
  await bob.listen()
  const open = async (person: typeof ann): Promise<string[]> =>
    (await person.post('/register', { fetch_event_types: ['onboarding_steps'] }))['onboarding_steps'].map(
      ({ name }: { name: string }) => name,
    )
  const all = await open(ann)
  const seen = { onboarding_step: 'intro_resolve_topic' }
  await ann.post('/users/me/onboarding_steps', seen)
  await ann.post('/users/me/onboarding_steps', seen)
  expect(await open(ann)).toEqual(all.filter((name) => name !== seen.onboarding_step))
  expect(await open(bob)).toEqual(all)
  const [event, ...more] = await ann.events()
  expect(event?.['onboarding_steps']).toHaveLength(all.length - 1)
  expect(more).toEqual([])
  expect(await bob.events()).toEqual([])
  await ann.refused('POST', '/users/me/onboarding_steps', { onboarding_step: 'nonsense' }, 'BAD_REQUEST')
})
