import { expect, test } from 'vitest'
import { egUser as user } from '../../test/eg.ts'
import { selectUsers, type UserFilter } from './select-users.ts'

const users = [
  user(1, 'Zoë Åkerström', { role: 100 }),
  user(2, 'adam Smith'),
  user(3, 'Bea Lund', { is_active: false, email: 'bea@office.lan' }),
]
const all: UserFilter = { search: '', roles: [], standing: 'all' }
const byName = { columnAccessor: 'full_name', direction: 'asc' } as const
const ids = (filter: Partial<UserFilter>, order: Parameters<typeof selectUsers>[2] = byName) =>
  selectUsers(users, { ...all, ...filter }, order).map(({ user_id }) => user_id)

test('search needs every word, in the name or the address, whatever the accents', () => {
  expect(ids({ search: 'zoe aker' })).toEqual([1])
  expect(ids({ search: 'OFFICE' })).toEqual([3])
  expect(ids({ search: 'zoe smith' })).toEqual([])
})

test('by role and by standing', () => {
  expect(ids({ roles: [100, 600] })).toEqual([1])
  expect(ids({ standing: 'deactivated' })).toEqual([3])
  expect(ids({ standing: 'active' })).toEqual([2, 1])
})

test('in each order', () => {
  expect(ids({})).toEqual([2, 3, 1])
  expect(ids({}, { columnAccessor: 'full_name', direction: 'desc' })).toEqual([1, 3, 2])
  expect(ids({}, { columnAccessor: 'role', direction: 'asc' })).toEqual([1, 2, 3])
  expect(ids({}, { columnAccessor: 'date_joined', direction: 'desc' })).toEqual([3, 2, 1])
})
