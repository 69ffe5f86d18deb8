import { UserPage } from './user-page.tsx'
import { Users } from './users.tsx'

export function UserRoom({ item }: { item: number | null }) {
  return item === null ? <Users /> : <UserPage id={item} />
}
