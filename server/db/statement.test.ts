import { expect, test } from 'vitest'
import { builder, realmScope } from './kysely.ts'
import { statement } from './statement.ts'

const of = (realmId: number) => builder.withPlugin(realmScope(realmId, () => true))
const named = statement((q, name: string, role: number) =>
  q.selectFrom('users').select('id').where('full_name', '=', name).where('role', '<=', role),
)

test('is built once for a realm, with the arguments of each run', () => {
  const first = named('Ann', 200).compileFor(of(1), 1)
  const second = named('Bob', 300).compileFor(of(1), 1)
  expect(second.sql).toBe(first.sql)
  expect(first.parameters).toEqual(['Ann', 200, 1])
  expect(second.parameters).toEqual(['Bob', 300, 1])
})

test('stays in its realm', () => {
  expect(named('Ann', 200).compileFor(of(7), 7).parameters).toEqual(['Ann', 200, 7])
  expect(named('Ann', 200).compileFor(of(8), 8).parameters).toEqual(['Ann', 200, 8])
})
