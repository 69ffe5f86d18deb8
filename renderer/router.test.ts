import { expect, test } from 'vitest'
import { paths, realmIn, samePageIn } from './router.ts'

test('an address tells its realm', () => {
  expect(realmIn('/')).toBeNull()
  expect(realmIn('/activity')).toBeNull()
  expect(realmIn(paths.activity('demo'))).toBe('demo')
  expect(realmIn(paths.realm('my-office', 'channels'))).toBe('my-office')
})

test('another realm opens on the page that was open', () => {
  expect(samePageIn('b', '/realms/a/channels')).toBe('/realms/b/channels')
  expect(samePageIn('b', '/realms/a/emoji')).toBe('/realms/b/emoji')
  expect(samePageIn('b', '/realms/a/nothing')).toBe('/realms/b/users')
  expect(samePageIn('b', '/realms/a/users')).toBe('/realms/b/users')
  expect(samePageIn('b', paths.realm('a', 'groups', 7))).toBe('/realms/b/groups')
  expect(samePageIn('b', '/realms/a/nowhere')).toBe('/realms/b/users')
  expect(samePageIn('b', '/activity/a')).toBe('/activity/b')
  expect(samePageIn('b', '/activity')).toBe('/activity/b')
  expect(samePageIn('b', '/')).toBe('/realms/b/users')
})
