import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { decodeParams, json, type Params, path, text } from './params.ts'

const decode = (params: Params, sent: Record<string, unknown>, segments: Record<string, string> = {}) =>
  decodeParams(params, new Map(Object.entries(sent)), new Map(Object.entries(segments)))

const To = z.union([z.int(), z.string(), z.array(z.int()), z.array(z.string())])

describe('text', () => {
  test.each([
    [z.boolean(), 'true', true],
    [z.int(), '17', 17],
    [z.int(), '-1', -1],
    [z.string(), '17', '17'],
    [z.string(), '"quoted"', '"quoted"'],
    [z.string(), '', ''],
    [z.enum(['newest', 'oldest']), '"newest"', 'newest'],
    [z.union([z.int(), z.enum(['newest'])]), 'newest', 'newest'],
    [z.string(), 5, '5'],
    [z.boolean(), true, true],
  ])('%o reads %j as %j', (schema, given, wanted) => {
    expect(decode({ p: text(schema) }, { p: given }).values['p']).toEqual(wanted)
  })

  test.each([
    [z.boolean(), 'yes'],
    [z.int(), '1.5'],
    [z.int(), '1e999'],
    [z.int(), ''],
    [z.enum(['a']), 'b'],
    [z.string(), ['a']],
    [z.string(), null],
  ])('%o refuses %j', (schema, given) => {
    expect(() => decode({ p: text(schema) }, { p: given })).toThrow(/^Invalid p: /)
  })
})

describe('json', () => {
  test.each([
    ['"general"', 'general'],
    ['general', 'general'],
    ['5', 5],
    ['[1,2]', [1, 2]],
    ['["a","b"]', ['a', 'b']],
    ['a@b.c,d@e.f', 'a@b.c,d@e.f'],
    [
      [1, 2],
      [1, 2],
    ],
    ['[broken', '[broken'],
  ])('reads %j as %j', (given, wanted) => {
    expect(decode({ to: json(To) }, { to: given }).values['to']).toEqual(wanted)
  })

  test('says where a list is wrong', () => {
    expect(() => decode({ ids: json(z.array(z.int())) }, { ids: '[1,"a"]' })).toThrow(
      /^Invalid ids: .* at 1$/,
    )
  })
})

test('what is wrong with a number is told, not that it came as text', () => {
  const count = { count: text(z.int().min(0)) }
  expect(() => decode(count, { count: '-1' })).toThrow(/^Invalid count: Too small/)
  expect(() => decode(count, { count: 'many' })).toThrow(/^Invalid count: .* received string/)
})

test('a missing parameter is named', () => {
  expect(() => decode({ content: text(z.string()) }, {})).toThrow("Missing 'content' argument")
})

test('a default stands in', () => {
  expect(decode({ n: text(z.int().default(3)) }, {}).values).toEqual({ n: 3 })
})

test('an old name serves, and the new one wins', () => {
  const params = { topic: text(z.string(), { aliases: ['subject'] }) }
  expect(decode(params, { subject: 'old' })).toEqual({ values: { topic: 'old' }, ignored: [] })
  expect(decode(params, { subject: 'old', topic: 'new' })).toEqual({ values: { topic: 'new' }, ignored: [] })
})

test('what was not declared is told', () => {
  expect(decode({ a: text(z.string()) }, { a: '1', b: '2' }).ignored).toEqual(['b'])
})

test('a path parameter cannot be sent in another way', () => {
  const { values, ignored } = decode({ id: path(z.int()) }, { id: '7' }, { id: '5' })
  expect(values).toEqual({ id: 5 })
  expect(ignored).toEqual(['id'])
})
