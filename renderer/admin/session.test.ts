import { expect, test } from 'vitest'
import { tokenIn, withoutToken } from './session.ts'

test('the token is found in the hash of the link', () => {
  expect(tokenIn('#token=abc123')).toBe('abc123')
  expect(tokenIn('#/token=abc123')).toBe('abc123')
  expect(tokenIn('#from=cli&token=a%2Bb%3D')).toBe('a+b=')
})

test('no token, an empty one or a page address is no token', () => {
  expect(tokenIn('')).toBeNull()
  expect(tokenIn('#')).toBeNull()
  expect(tokenIn('#token=')).toBeNull()
  expect(tokenIn('#/realms/demo/users')).toBeNull()
})

test('the address that stays behind holds no hash', () => {
  expect(withoutToken({ pathname: '/admin/', search: '' })).toBe('/admin/')
  expect(withoutToken({ pathname: '/admin/', search: '?x=1' })).toBe('/admin/?x=1')
})
