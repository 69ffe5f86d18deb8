import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineRoute } from './define-route.ts'
import { createMatcher } from './match.ts'
import { path } from './params.ts'

const route = (method: 'GET' | 'POST', address: string, params = {}) =>
  defineRoute({
    id: `${method} ${address}`,
    method,
    path: address,
    summary: '',
    caller: 'anyone',
    params,
    result: z.object({}),
    run: () => ({}),
  })

const match = createMatcher([
  route('GET', '/users/{email}', { email: path(z.string()) }),
  route('GET', '/users/{user_id}', { user_id: path(z.int()) }),
  route('GET', '/users/me'),
  route('POST', '/users/{user_id}/reactivate', { user_id: path(z.int()) }),
])

test.each([
  ['/users/me', 'GET /users/me', {}],
  ['/users/12', 'GET /users/{user_id}', { user_id: '12' }],
  ['/users/a%40b.c', 'GET /users/{email}', { email: 'a@b.c' }],
  ['/users/a%2Fb', 'GET /users/{email}', { email: 'a/b' }],
])('%s is %s', (address, id, segments) => {
  const found = match('GET', address)
  expect(found.route.id).toBe(id)
  expect(Object.fromEntries(found.segments)).toEqual(segments)
})

test('an unknown address is not found', () => {
  expect(() => match('GET', '/nothing')).toThrow('There is no such address')
})

test('a known address with another method says which it takes', () => {
  expect(() => match('DELETE', '/users/me')).toThrow('Method Not Allowed')
  expect(() => match('GET', '/users/5/reactivate')).toThrow('Method Not Allowed')
})

test('a segment that is not encoded correctly is refused', () => {
  expect(() => match('GET', '/users/%E0%A4%A')).toThrow('not encoded correctly')
})
