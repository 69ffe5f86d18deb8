import { expect, test } from 'vitest'
import { egChannel as channel } from '../../test/eg.ts'
import { privacyOf, selectChannels } from './select-channels.ts'

const channels = [
  channel(1, 'general', { subscribers: [1, 2, 3] }),
  channel(2, 'Design', { invite_only: true, subscribers: [1], description: 'Logos and café menus' }),
  channel(3, 'lounge', { is_web_public: true }),
  channel(4, 'old', { is_archived: true }),
]
const byName = { columnAccessor: 'name', direction: 'asc' } as const
const ids = (filter: object, order: Parameters<typeof selectChannels>[2] = byName) =>
  selectChannels(channels, { search: '', privacy: null, archived: false, ...filter }, order).map(
    (c) => c.stream_id,
  )

test('by name, by words in name or description, by privacy, archived apart', () => {
  expect(ids({})).toEqual([2, 1, 3])
  expect(ids({ search: 'cafe' })).toEqual([2])
  expect(ids({ privacy: 'web-public' })).toEqual([3])
  expect(ids({ privacy: 'public' })).toEqual([1])
  expect(ids({ archived: true })).toEqual([4])
})

test('by size and by age', () => {
  expect(ids({}, { columnAccessor: 'subscribers', direction: 'desc' })).toEqual([1, 2, 3])
  expect(ids({}, { columnAccessor: 'date_created', direction: 'desc' })).toEqual([3, 2, 1])
})

test('a private channel is private even where it was once web-public', () => {
  expect(privacyOf({ invite_only: true, is_web_public: true })).toBe('private')
})
