import { expect, test } from 'vitest'
import { findRoutes } from './route-places.ts'

test('routes are found in whichever order their fields stand', () => {
  const source = `
export const sendMessage = defineRoute({
  id: 'send-message',
  method: 'POST',
  path: '/messages',
  caller: 'user',
})
export const getMessage = defineRoute({
  path: '/messages/:message_id', caller: 'user', method: 'GET',
  params: { message_id: path(z.int()) },
})
const unrelated = { method: 'PUT' }
const other = { path: '/nowhere' }
`
  expect(findRoutes(source, 'x.ts')).toEqual([
    { method: 'POST', path: '/messages', file: 'x.ts', line: 4 },
    { method: 'GET', path: '/messages/:message_id', file: 'x.ts', line: 9 },
  ])
})
