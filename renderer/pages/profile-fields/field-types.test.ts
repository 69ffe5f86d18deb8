import { expect, test } from 'vitest'
import { choicesIn, choicesProblem, dataOfChoices, patternProblem } from './field-types.ts'

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
