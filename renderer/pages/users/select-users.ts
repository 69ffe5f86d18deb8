// Which users the table shows, in which order.

import { plain } from '../../base/format.ts'
import type { Standing } from '../../base/standing.tsx'
import type { Order } from '../../base/table.tsx'
import type { User } from '../../live.ts'

export type UserColumn = 'full_name' | 'role' | 'date_joined'

export interface UserFilter {
  search: string
  roles: number[]
  standing: Standing
}

export function selectUsers(users: Iterable<User>, filter: UserFilter, order: Order<UserColumn>): User[] {
  const words = plain(filter.search).split(/\s+/).filter(Boolean)
  return [...users]
    .filter(
      (user) =>
        (filter.standing === 'all' || user.is_active === (filter.standing === 'active')) &&
        (filter.roles.length === 0 || filter.roles.includes(user.role)) &&
        words.every((word) =>
          plain(`${user.full_name} ${user.email} ${user.delivery_email ?? ''}`).includes(word),
        ),
    )
    .sort((a, b) => (order.direction === 'asc' ? 1 : -1) * compare(a, b, order.columnAccessor))
}

function compare(a: User, b: User, column: UserColumn): number {
  const first =
    column === 'role'
      ? a.role - b.role
      : column === 'date_joined'
        ? a.date_joined.localeCompare(b.date_joined)
        : 0
  return first || a.full_name.localeCompare(b.full_name) || a.user_id - b.user_id
}
