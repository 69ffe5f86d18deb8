import { expect, test } from 'vitest'
import { realmNameProblem, suggestRealmName } from './realm-name.ts'

test('names that may stand in an address', () => {
  for (const name of ['a', 'demo', 'my-office-2', '7', 'a'.repeat(40)])
    expect(realmNameProblem(name)).toBeNull()
  for (const name of ['', 'Demo', 'my office', '-a', 'a-', 'ä', 'a_b', 'a'.repeat(41)])
    expect(realmNameProblem(name)).not.toBeNull()
})

test('a suggestion is always a valid name, or nothing', () => {
  expect(suggestRealmName('Acme Ironworks, Inc.')).toBe('acme-ironworks-inc')
  expect(suggestRealmName('Müller & Söhne')).toBe('muller-sohne')
  expect(suggestRealmName('Straße 7')).toBe('strasse-7')
  expect(suggestRealmName('東京')).toBe('')
  const long = suggestRealmName(`${'x'.repeat(39)} y`)
  expect(realmNameProblem(long)).toBeNull()
})
