/** Users as clients see them (specification, "User object"). */
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import type { Realm } from '../realms/store.ts'
import { isAdministrator, isGuest, isOwner, Role, roleNumbers } from './roles.ts'
import { apiEmail, deliveryEmailFor, maySeeEmail, type Viewer } from './visibility.ts'

export const ProfileData = z.record(
  z.string(),
  z.strictObject({ value: z.string(), rendered_value: z.string().optional() }),
)

export const UserObject = z.strictObject({
  user_id: z.int(),
  delivery_email: z.string().nullable(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable().optional(),
  role: z.literal(roleNumbers),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: ProfileData.optional(),
})
export type UserObject = z.output<typeof UserObject>

export interface Viewing {
  realm: Realm
  /** Who looks. */
  viewer: Viewer
  /** The realm's address, for the avatar's. */
  realmUrl: string
  /** The client computes external avatars itself. */
  extAvatar: boolean
}

/** Address of the user's picture. Pictures that nobody uploaded are drawn by this server, so that no other is needed. */
export const avatarUrl = (
  user: Pick<Row<'users'>, 'id' | 'avatar_version'>,
  realmUrl: string,
  size = '',
): string =>
  user.avatar_version === 0
    ? `${realmUrl}/avatar/0${size}`
    : `${realmUrl}/avatar/${user.id}${size}?version=${user.avatar_version}`

/** Null where the client computes an external avatar, which it can for a known address without an uploaded picture. */
export const avatarFor = (
  user: Row<'users'>,
  { realmUrl, extAvatar, viewer }: Omit<Viewing, 'realm'>,
): string | null =>
  extAvatar && user.avatar_source === 'G' && maySeeEmail(viewer, user) ? null : avatarUrl(user, realmUrl)

export function presentUser(
  user: Row<'users'>,
  viewing: Viewing,
  profile_data?: z.output<typeof ProfileData>,
): UserObject {
  return {
    user_id: user.id,
    delivery_email: deliveryEmailFor(viewing.viewer, user),
    email: apiEmail(viewing.realm, user),
    full_name: user.full_name,
    date_joined: isoTime(user.date_joined),
    is_active: user.is_active === 1,
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_guest: isGuest(user),
    is_bot: user.is_bot === 1,
    bot_type: user.bot_type,
    ...(user.is_bot ? { bot_owner_id: user.bot_owner_id } : {}),
    role: user.role as UserObject['role'],
    timezone: user.timezone,
    avatar_url: avatarFor(user, viewing),
    avatar_version: user.avatar_version,
    ...(profile_data && !user.is_bot ? { profile_data } : {}),
  }
}

interface Written {
  /** Part of the address that stands for a hidden one. */
  stringId: string
  realmUrl: string
  extAvatar: boolean
  profile: string
  json: string
}

/**
 * What was last written of a user, for those who see the address and for those who do not. Rows are never changed: of
 * a user who changes there is another.
 */
const written = new WeakMap<Readonly<Row<'users'>>, { open?: Written; hidden?: Written }>()

/**
 * {@link presentUser} as JSON. Every client that starts asks for everybody, and mostly gets what the one before got.
 * @param profile the profile data as JSON; empty leaves it out
 */
export function userAsJson(user: Readonly<Row<'users'>>, viewing: Viewing, profile: string): string {
  let known = written.get(user)
  if (!known) {
    known = {}
    written.set(user, known)
  }
  const side = maySeeEmail(viewing.viewer, user) ? 'open' : 'hidden'
  const last = known[side]
  const { realmUrl, extAvatar } = viewing
  const { stringId } = viewing.realm
  if (
    last?.stringId === stringId &&
    last.realmUrl === realmUrl &&
    last.extAvatar === extAvatar &&
    last.profile === profile
  ) {
    return last.json
  }
  const plain = JSON.stringify(presentUser(user, viewing))
  const json = profile === '' || user.is_bot ? plain : `${plain.slice(0, -1)},"profile_data":${profile}}`
  known[side] = { stringId, realmUrl, extAvatar, profile, json }
  return json
}

const isoTimes = new Map<number, string>()

/** Dates are slow to write, and the same ones are written for everybody who starts. */
export function isoTime(seconds: number): string {
  let text = isoTimes.get(seconds)
  if (text === undefined) {
    text = new Date(seconds * 1000).toISOString()
    if (isoTimes.size > 100_000) isoTimes.clear()
    isoTimes.set(seconds, text)
  }
  return text
}

const nobodySees = '{"email_address_visibility":4}'

/** A user as people without an account see them: a name and a picture. */
export const asSpectatorsSee = (user: Row<'users'>): Row<'users'> => ({
  ...user,
  settings: nobodySees,
  timezone: '',
})

/**
 * A user as those see them who may not know them: the id is kept, and nothing else. The version of the picture is
 * one that no picture has.
 */
export const asUnknown = (realm: Realm, user: Row<'users'>): Row<'users'> => ({
  ...user,
  full_name: 'Unknown user',
  delivery_email: '',
  settings: nobodySees,
  role: Role.member,
  is_active: 1,
  date_joined: realm.dateCreated,
  timezone: '',
  avatar_source: 'U',
  avatar_version: 0,
})
