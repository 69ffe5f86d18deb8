import { expect, test } from 'vitest'
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatQuantity,
  formatRate,
  initialsOf,
} from './format.ts'

test('counts and quantities', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatQuantity(1, 'user')).toBe('1 user')
  expect(formatQuantity(0, 'user')).toBe('0 users')
  expect(formatQuantity(2, 'entry', 'entries')).toBe('2 entries')
})

test('rates show a decimal only where it tells something', () => {
  expect(formatRate(0)).toBe('0')
  expect(formatRate(0.25)).toBe('0.3')
  expect(formatRate(7)).toBe('7')
  expect(formatRate(1234.6)).toBe('1,235')
})

test('sizes keep three digits and never print 1024 of a unit', () => {
  expect(formatBytes(0)).toBe('0 B')
  expect(formatBytes(1023)).toBe('1023 B')
  expect(formatBytes(1536)).toBe('1.5 KB')
  expect(formatBytes(1024 * 1024 - 1)).toBe('1.0 MB')
  expect(formatBytes(5 * 1024 ** 3)).toBe('5.0 GB')
  expect(formatBytes(250 * 1024)).toBe('250 KB')
})

test('durations use at most two units', () => {
  expect(formatDuration(-3)).toBe('0 s')
  expect(formatDuration(59.9)).toBe('59 s')
  expect(formatDuration(60)).toBe('1 min')
  expect(formatDuration(185)).toBe('3 min 5 s')
  expect(formatDuration(7800)).toBe('2 h 10 min')
  expect(formatDuration(4 * 86_400 + 3 * 3600 + 59)).toBe('4 d 3 h')
})

test('ages tick from "just now" to a date', () => {
  expect(formatAgo(1000, 999)).toBe('just now')
  expect(formatAgo(1000, 1001.9)).toBe('just now')
  expect(formatAgo(1000, 1005)).toBe('5 s ago')
  expect(formatAgo(1000, 1000 + 3600 * 3)).toBe('3 h ago')
  expect(formatAgo(1_700_000_000, 1_700_000_000 + 13 * 86_400)).toBe('13 d ago')
  expect(formatAgo(1_700_000_000, 1_710_000_000)).toBe('14 Nov 2023')
})

test('initials survive one word, accents, surrogate pairs and nothing at all', () => {
  expect(initialsOf('Ann')).toBe('A')
  expect(initialsOf('zoë maria åkerström')).toBe('ZÅ')
  expect(initialsOf('🦊 fox')).toBe('🦊F')
  expect(initialsOf('  ')).toBe('?')
})
