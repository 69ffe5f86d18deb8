import { expect, test } from 'vitest'
import { summarizeEvent } from './summarize-event.ts'

test('a message tells who and where', () => {
  const message = { sender_full_name: 'Ann', type: 'stream', display_recipient: 'general', subject: 'Lunch' }
  expect(summarizeEvent({ type: 'message', message })).toBe('Ann in #general › Lunch')
  expect(summarizeEvent({ type: 'message', message: { ...message, subject: '' } })).toBe('Ann in #general')
  expect(
    summarizeEvent({
      type: 'message',
      message: { sender_full_name: 'Ann', type: 'private', display_recipient: [{}] },
    }),
  ).toBe('Ann in a direct message')
})

test('people, channels and reactions', () => {
  expect(summarizeEvent({ type: 'realm_user', op: 'update', person: { user_id: 3, role: 200 } })).toBe(
    'user 3: role 200',
  )
  expect(summarizeEvent({ type: 'realm_user', op: 'update', person: { user_id: 3, full_name: 'Bo' } })).toBe(
    'Bo',
  )
  expect(summarizeEvent({ type: 'stream', op: 'create', streams: [{ name: 'a' }, { name: 'b' }] })).toBe(
    '#a, #b',
  )
  expect(summarizeEvent({ type: 'stream', op: 'update', name: 'a', property: 'name', value: 'c' })).toBe(
    '#a: property name, value c',
  )
  expect(summarizeEvent({ type: 'reaction', op: 'add', emoji_name: 'tada', message_id: 9 })).toBe(
    ':tada: on message 9',
  )
})

test('what is not known by name still shows its first fields, shortened', () => {
  expect(
    summarizeEvent({ type: 'new_thing', op: 'add', id: 4, flag: 'read', messages: [1, 2], deep: { a: 1 } }),
  ).toBe('flag read, messages [1, 2], deep {…}')
  expect(summarizeEvent({ type: 'new_thing', items: [1, 2, 3, 4] })).toBe('items [4]')
  expect(summarizeEvent({ type: 'message' })).toBe('')
  expect(summarizeEvent({ type: 'x', v: 'y'.repeat(60) })).toBe(`v ${'y'.repeat(39)}…`)
})
