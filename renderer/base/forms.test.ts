import { expect, test } from 'vitest'
import { ApiError, ConnectionError } from '../api.ts'
import { emailProblem, fieldOf, required } from './forms.ts'

const words = { name: /\bname\b/i, email: /email/i }

test('an error goes to the field that the reply names, else to the one its words are about', () => {
  expect(fieldOf(new ApiError(400, 'BAD_REQUEST', 'The name is odd.', { field: 'email' }), words)).toBe(
    'email',
  )
  expect(fieldOf(new ApiError(400, 'BAD_REQUEST', 'Email already in use'), words)).toBe('email')
  expect(fieldOf(new ApiError(400, 'BAD_REQUEST', 'The disk is full.'), words)).toBeNull()
  expect(fieldOf(new ConnectionError(), words)).toBeNull()
})

test('what people forget or mistype', () => {
  expect(required('a name')('  ')).toBe('Enter a name.')
  expect(required('a name')('x')).toBeNull()
  expect(emailProblem('')).toBe('Enter an email address.')
  expect(emailProblem('pat@')).toMatch(/looks like/)
  expect(emailProblem('pat@office')).toBeNull()
})
