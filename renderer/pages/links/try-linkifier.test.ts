import { expect, test } from 'vitest'
import { tryLinkifier } from './try-linkifier.ts'

test('a pattern makes links of what it finds', () => {
  const tickets = { pattern: String.raw`#(?P<id>\d+)`, url_template: 'https://tickets.example/{id}' }
  expect(tryLinkifier(tickets, 'See #12, please')).toEqual([
    { text: 'See ' },
    { text: '#12', url: 'https://tickets.example/12' },
    { text: ', please' },
  ])
  expect(tryLinkifier(tickets, 'nothing')).toEqual([{ text: 'nothing' }])
})

test('a pattern that is none', () => {
  expect(tryLinkifier({ pattern: '(', url_template: 'https://x.example' }, 'x')).toBeNull()
})
