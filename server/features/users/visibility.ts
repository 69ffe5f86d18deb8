/** Whose real e-mail address is shown to whom (specification, "User object"). */
import type { Row } from '../../db/tables.ts'
import type { Realm } from '../realms/store.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { Role } from './roles.ts'

/** Somebody who looks at others; null: a visitor without an account. */
export type Viewer = Pick<Row<'users'>, 'id' | 'role'> | null
type Subject = Pick<Row<'users'>, 'id' | 'is_bot' | 'settings' | 'delivery_email'>

/** The least powerful role that each `email_address_visibility` but the first shows addresses to. */
const leastRole: Record<number, number> = {
  2: Role.member,
  3: Role.administrator,
  4: Number.NEGATIVE_INFINITY,
  5: Role.moderator,
}

/** Whether the real address is everybody's to see, so that it is the one used in the interface. */
export const hasOpenEmail = (user: Subject): boolean =>
  user.is_bot === 1 || settingsOf(user).email_address_visibility === 1

export function maySeeEmail(viewer: Viewer, user: Subject): boolean {
  if (hasOpenEmail(user)) return true
  if (viewer === null) return false
  return viewer.id === user.id || viewer.role <= (leastRole[settingsOf(user).email_address_visibility] ?? 0)
}

/** The real address, or null where the viewer may not see it. */
export const deliveryEmailFor = (viewer: Viewer, user: Subject): string | null =>
  maySeeEmail(viewer, user) ? user.delivery_email : null

/** Stands for the address of any user, and can be used in requests in its place. */
export const dummyEmail = (realm: Pick<Realm, 'stringId'>, id: number): string =>
  `user${id}@${realm.stringId}.local`

/** The address by which the interface names a user: the same for everybody who asks. */
export const apiEmail = (realm: Pick<Realm, 'stringId'>, user: Subject): string =>
  hasOpenEmail(user) ? user.delivery_email : dummyEmail(realm, user.id)

/** The id in an address made by {@link dummyEmail}. Ids are the server's, so that the realm in it says nothing. */
export function idInDummyEmail(email: string): number | undefined {
  const id = /^\s*user(\d+)@[a-z0-9-]+\.local\s*$/i.exec(email)?.[1]
  return id === undefined ? undefined : Number(id)
}
