import { expect, test } from 'vitest'
import { accountAddress, choicesIn, choicesProblem, dataOfChoices, patternProblem } from './field-types.ts'

test('choices keep their keys, new ones get others', () => {
  const stored = '{"0":{"text":"Vim","order":"2"},"3":{"text":"Emacs","order":"1"}}'
  const choices = choicesIn(stored)
  expect(choices).toEqual([
    { key: '3', text: 'Emacs' },
    { key: '0', text: 'Vim' },
  ])
  expect(dataOfChoices([...choices.slice(1), { key: '', text: ' Nano ' }, { key: '', text: 'Ed' }])).toEqual({
    0: { text: 'Vim', order: '1' },
    1: { text: 'Nano', order: '2' },
    2: { text: 'Ed', order: '3' },
  })
  expect(choicesIn('')).toEqual([])
})

test('what is wrong with choices and addresses', () => {
  expect(choicesProblem([])).not.toBeNull()
  expect(choicesProblem([{ key: '', text: ' ' }])).not.toBeNull()
  expect(
    choicesProblem([
      { key: '1', text: 'a' },
      { key: '', text: ' a' },
    ]),
  ).not.toBeNull()
  expect(choicesProblem([{ key: '1', text: 'a' }])).toBeNull()
  expect(patternProblem('https://example.org/%(username)s')).toBeNull()
  expect(patternProblem('https://example.org/')).not.toBeNull()
  expect(patternProblem('example.org/%(username)s')).not.toBeNull()
})

test('an account is found by its service or by the address given for it', () => {
  const known = {
    code: { text: 'Code', name: '', hint: '', url_pattern: 'https://code.example/%(username)s' },
  }
  const custom = JSON.stringify({ subtype: 'custom', url_pattern: 'https://own.example/u/%(username)s' })
  expect(accountAddress(known, '{"subtype":"code"}', ' ann ')).toBe('https://code.example/ann')
  expect(accountAddress(known, custom, 'a/b$&')).toBe('https://own.example/u/a%2Fb%24%26')
  expect(accountAddress(known, custom, 'ann@office.example')).toBe('https://own.example/u/ann@office.example')
  expect(accountAddress(known, custom, ' ')).toBeNull()
  expect(accountAddress(known, '{"subtype":"gone"}', 'ann')).toBeNull()
})
