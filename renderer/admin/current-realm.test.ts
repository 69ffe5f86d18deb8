import { expect, test } from 'vitest'
import type { Realm } from '../api.ts'
import { chooseRealm } from './current-realm.ts'

const realm = (name: string, is_default = false): Realm => ({
  name,
  display_name: name,
  url: '',
  users: 0,
  channels: 0,
  messages: 0,
  created_at: 0,
  is_default,
  is_deactivated: false,
})
const realms = [realm('a'), realm('b', true), realm('c')]

test('the address decides, then the last one looked at, then the default, then the first', () => {
  expect(chooseRealm(realms, 'c', 'a')?.name).toBe('c')
  expect(chooseRealm(realms, null, 'a')?.name).toBe('a')
  expect(chooseRealm(realms, null, 'gone')?.name).toBe('b')
  expect(chooseRealm([realm('x')], null, null)?.name).toBe('x')
  expect(chooseRealm([], null, null)).toBeUndefined()
})

test('an address of a realm that is not there is not silently another realm', () => {
  expect(chooseRealm(realms, 'gone', 'a')).toBeUndefined()
})
