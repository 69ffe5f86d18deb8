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

/** What a client keeps of its own user beside the list of all. */
export interface OwnUserPart {
  full_name: string
  email: string
  delivery_email: string
  avatar_source: 'G' | 'U'
  avatar_url: string
  avatar_url_medium: string
  is_owner: boolean
  is_admin: boolean
  is_moderator: boolean
  is_guest: boolean
}

/** @param me id of the user whose part it is */
export function applyToOwnUser(
  part: OwnUserPart,
  event: EventOf<'realm_user'>,
  me: number,
): Partial<OwnUserPart> {
  if (event.op !== 'update' || event.person.user_id !== me) return {}
  const { person } = event
  if ('full_name' in person) return { full_name: person.full_name }
  if ('new_email' in person) return { email: person.new_email }
  if ('delivery_email' in person) return { delivery_email: person.delivery_email ?? part.delivery_email }
  if ('avatar_url' in person) {
    const { avatar_source, avatar_url, avatar_url_medium } = person
    return { avatar_source, avatar_url, avatar_url_medium }
  }
  if ('role' in person) {
    const { role } = person
    return {
      is_owner: role === 100,
      is_admin: role <= 200,
      is_moderator: role === 300,
      is_guest: role === 600,
    }
  }
  return {}
}

/** A deleted profile field takes its values along, of which no further event tells. */
export function dropProfileValues(
  part: UserSnapshot,
  { fields }: EventOf<'custom_profile_fields'>,
): UserSnapshot {
  const known = new Set(fields.map(({ id }) => String(id)))
  const drop = (users: UserObject[]) =>
    users.map((user) =>
      user.profile_data
        ? {
            ...user,
            profile_data: Object.fromEntries(
              Object.entries(user.profile_data).filter(([id]) => known.has(id)),
            ),
          }
        : user,
    )
  return {
    realm_users: drop(part.realm_users),
    realm_non_active_users: drop(part.realm_non_active_users),
  }
}

function split(users: UserObject[]): UserSnapshot {
  const inOrder = users.sort((a, b) => a.user_id - b.user_id)
  return {
    realm_users: inOrder.filter((user) => user.is_active),
    realm_non_active_users: inOrder.filter((user) => !user.is_active),
  }
}
