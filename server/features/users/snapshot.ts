/** The users a client starts with: its part of the register response. */
import type { RealmContext } from '../../context.ts'
import { JsonText } from '../../http/define-route.ts'
import { ChannelAccess } from '../channels/access.ts'
import { accessibleUserIds, type User } from './access.ts'
import { asUnknown, avatarUrl, presentUser, userAsJson, type UserObject, type Viewing } from './present.ts'
import { isAdministrator, isGuest, isOwner, Role } from './roles.ts'
import { allUsers, profileDataByUser, systemBots } from './store.ts'
import { apiEmail } from './visibility.ts'

/** As it is for clients; {@link userSnapshot} brings the lists as JSON. */
export interface UserSnapshot {
  realm_users: UserObject[]
  realm_non_active_users: UserObject[]
}

/**
 * @param namesUnknown also lists those whom the viewer may not know, without anything of theirs
 */
export function userSnapshot(
  ctx: RealmContext,
  me: User,
  viewing: Viewing,
  { namesUnknown }: { namesUnknown: boolean },
): Record<keyof UserSnapshot, JsonText> {
  const active: string[] = []
  const inactive: string[] = []
  const put = (json: string, isActive: boolean) => void (isActive ? active : inactive).push(json)
  forEachUser(ctx, me, viewing, { profileData: true, namesUnknown }, put)
  return {
    realm_users: new JsonText(`[${active.join(',')}]`),
    realm_non_active_users: new JsonText(`[${inactive.join(',')}]`),
  }
}

/** Hands over everybody as one of them sees them, by id, each as JSON. */
export function forEachUser(
  ctx: RealmContext,
  me: User,
  viewing: Viewing,
  options: { profileData: boolean; namesUnknown: boolean },
  put: (json: string, isActive: boolean) => void,
): void {
  const profiles = options.profileData ? profileDataByUser(ctx.db) : undefined
  const accessible = accessibleUserIds(ctx, ctx.db, me)
  for (const user of allUsers(ctx.db)) {
    if (accessible?.has(user.id) !== false) {
      const profile = profiles?.get(user.id)
      const json = userAsJson(user, viewing, profile ? JSON.stringify(profile) : profiles ? '{}' : '')
      put(json, user.is_active === 1)
    } else if (options.namesUnknown) {
      put(JSON.stringify(presentUser(asUnknown(ctx.realm, user), viewing, profiles && {})), true)
    }
  }
}

/** What a client learns of its own user and of what that user may do. */
export function ownUserSnapshot(ctx: RealmContext, me: User, viewing: Viewing) {
  const access = new ChannelAccess(ctx, ctx.db, me)
  const mayCreatePublic = access.holdsOfRealm('can_create_public_channel_group')
  const mayCreatePrivate = access.holdsOfRealm('can_create_private_channel_group')
  return {
    user_id: me.id,
    email: apiEmail(ctx.realm, me),
    delivery_email: me.delivery_email,
    full_name: me.full_name,
    is_owner: isOwner(me),
    is_admin: isAdministrator(me),
    is_moderator: me.role === Role.moderator,
    is_guest: isGuest(me),
    avatar_source: me.avatar_source,
    avatar_url: avatarUrl(me, viewing.realmUrl),
    avatar_url_medium: avatarUrl(me, viewing.realmUrl, '/medium'),
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    can_create_web_public_streams:
      ctx.server.config.webPublicStreamsEnabled &&
      ctx.realm.settings.enable_spectator_access &&
      access.holdsOfRealm('can_create_web_public_channel_group'),
    can_subscribe_other_users: access.holdsOfRealm('can_add_subscribers_group'),
    can_invite_others_to_realm: access.holdsOfRealm('can_invite_users_group'),
    cross_realm_bots: systemBots(ctx.db).map((bot) => ({
      ...presentUser(bot, { ...viewing, extAvatar: false }),
      is_system_bot: true,
    })),
  }
}
