/** Keeps a snapshot of users current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import type { UserObject } from './present.ts'
import type { UserSnapshot } from './snapshot.ts'

export function applyToUsers(part: UserSnapshot, event: EventOf<'realm_user'>): UserSnapshot {
  const users = [...part.realm_users, ...part.realm_non_active_users]
  const others = () => users.filter(({ user_id }) => user_id !== event.person.user_id)
  switch (event.op) {
    case 'add':
      return split([...others(), event.person])
    case 'remove':
      return split(others())
    case 'update':
      return split(
        users.map((user) => (user.user_id === event.person.user_id ? change(user, event.person) : user)),
      )
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

type Person = Extract<EventOf<'realm_user'>, { op: 'update' }>['person']

function change(user: UserObject, person: Person): UserObject {
  if ('role' in person) {
    const { role } = person
    return { ...user, role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 }
  }
  if ('new_email' in person) return { ...user, email: person.new_email }
  if ('custom_profile_field' in person) {
    const { id, value, rendered_value } = person.custom_profile_field
    const { [id]: _old, ...profile_data } = user.profile_data ?? {}
    if (value !== null)
      profile_data[id] = rendered_value === undefined ? { value } : { value, rendered_value }
    return { ...user, profile_data }
  }
  if ('avatar_url' in person) {
    const { avatar_url, avatar_version } = person
    return { ...user, avatar_url, avatar_version }
  }
  if ('timezone' in person) return { ...user, timezone: person.timezone }
  return { ...user, ...person }
}

function split(users: UserObject[]): UserSnapshot {
  const inOrder = users.sort((a, b) => a.user_id - b.user_id)
  return {
    realm_users: inOrder.filter((user) => user.is_active),
    realm_non_active_users: inOrder.filter((user) => !user.is_active),
  }
}
