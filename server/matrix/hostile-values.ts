/** What a client that means harm, or one that is broken, may send in the place of a parameter. */
import fc from 'fast-check'
import { z } from 'zod'
import type { Param } from '../http/params.ts'

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const long = 'a'.repeat(100_000)

/** Text in the place of anything. */
const oddText = [
  '',
  ' ',
  '\n',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '1_000',
  '1.5',
  '-1',
  '0',
  '1',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '9223372036854775807',
  '9223372036854775808',
  '2147483648',
  '4294967296',
  'true',
  'TRUE',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '[null]',
  '{"":""}',
  '{"__proto__":{"a":1}}',
  '["__proto__","constructor"]',
  '__proto__',
  'constructor',
  'toString',
  nested(5000, '[', ']'),
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  '[1',
  '"',
  '\\',
  '%',
  '%00',
  '%ff',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eabc',
  '\u200b',
  '\ufeff',
  '\ufffe',
  '👩‍👩‍👧‍👦',
  '𝔸'.repeat(70),
  'e\u0301'.repeat(70),
  long,
  '*'.repeat(2000),
  '`'.repeat(2000),
  '> '.repeat(1000),
  '[a]('.repeat(500),
  '../../../../etc/passwd',
  '..',
  '.',
  '/',
  "'; DROP TABLE users; --",
  '%_',
  '<script>alert(1)</script>',
  '@**all**',
  '@**',
  '#**a>b**',
  '$$'.repeat(300),
  '(?P<a>(a+)+)$',
  '(((((',
  '{code',
  'http://',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'user1@test.example',
  'a@b',
  '@',
  'first_unread',
  'newest',
  'role:nobody',
  '✔ ',
  '(no topic)',
  'stream:1',
  '1,2',
  '1;2',
  '0'.repeat(400),
  '-'.repeat(50),
]
/** What every JavaScript object has without having been given it. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
/** Terms of narrows, so that not every one ends at its operator. */
const narrowOperators = [
  'channel',
  'channels',
  'topic',
  'dm',
  'dm-including',
  'group-pm-with',
  'sender',
  'is',
  'has',
  'id',
  'near',
  'with',
  'search',
  'in',
  '-is',
  ...inherited,
]
const narrowOperands = ['dm', 'followed', 'muted', 'mentioned', 'link', 'web-public', 'home', ...inherited]
const oddNumbers = [
  0,
  -0,
  -1,
  1,
  1.5,
  1e21,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1_700_000_000,
]
const oddJson: unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  [null],
  [''],
  [0],
  [-1],
  [1.5],
  [2 ** 53],
  { a: 1 },
  [1, 'a'],
  { direct_members: [], direct_subgroups: [] },
  { new: null },
  { new: 0, old: 0 },
  { new: {} },
  { direct_members: [2 ** 53], direct_subgroups: [-1] },
  Array.from({ length: 20_000 }, (_, i) => i),
  Array.from({ length: 300 }, () => ({ name: 'same' })),
  JSON.parse(nested(500, '[', ']')),
]

/** Values of every kind; `ids` are of things that are there, gone or of another organization. */
export function hostileValue(ids: readonly number[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...oddText) },
    { weight: 3, arbitrary: fc.constantFrom(...oddNumbers) },
    { weight: 4, arbitrary: fc.constantFrom(...oddJson) },
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...ids), { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  )
}

/** Values of nearly the right shape, with something odd inside: they get further than those that are all wrong. */
export function nearlyRight(param: Param, ids: readonly number[]): fc.Arbitrary<unknown> {
  return ofSchema(z.toJSONSchema(param.schema, { io: 'input', unrepresentable: 'any' }), ids, 0)
}

type Schema = z.core.JSONSchema._JSONSchema

function ofSchema(schema: Schema | undefined, ids: readonly number[], depth: number): fc.Arbitrary<unknown> {
  const odd = hostileValue(ids)
  if (typeof schema !== 'object' || depth > 5) return odd
  const right = conforming(schema, ids, depth)
  return right ? fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd }) : odd
}

function conforming(schema: z.core.JSONSchema.BaseSchema, ids: readonly number[], depth: number) {
  const inner = (one: Schema | undefined) => ofSchema(one, ids, depth + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(inner))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number') {
    return fc.constantFrom(...ids, ...oddNumbers.filter((one) => Number.isInteger(one)))
  }
  if (schema.type === 'string') {
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...oddText) },
      { weight: 1, arbitrary: fc.constantFrom(...inherited) },
    )
  }
  if (schema.type === 'array') {
    if (Array.isArray(schema.prefixItems)) return fc.tuple(...schema.prefixItems.map(inner))
    const { items } = schema
    return fc.array(inner(Array.isArray(items) ? items[0] : items), { maxLength: 3 })
  }
  if (schema.type === 'object' && schema.properties?.['operator'] && schema.properties['operand']) {
    return fc.record({
      operator: fc.constantFrom(...narrowOperators),
      operand: fc.oneof(fc.constantFrom(...narrowOperands), inner(schema.properties['operand'])),
      negated: fc.boolean(),
    })
  }
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {}).map(
      ([name, one]) => [name, inner(one)] as const,
    )
    return fc.record(Object.fromEntries(properties), { requiredKeys: schema.required ?? [] })
  }
  return null
}
