/** The users a client starts with: its part of the register response. */
import type { RealmContext } from '../../context.ts'
import { ChannelAccess } from '../channels/access.ts'
import { accessibleUserIds, type User } from './access.ts'
import { asUnknown, avatarUrl, presentUser, type UserObject, type Viewing } from './present.ts'
import { isAdministrator, isGuest, isOwner, Role } from './roles.ts'
import { allUsers, profileDataByUser, systemBots } from './store.ts'
import { apiEmail } from './visibility.ts'

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
): UserSnapshot {
  const users = presentUsers(ctx, me, viewing, { profileData: true, namesUnknown })
  return {
    realm_users: users.filter((user) => user.is_active),
    realm_non_active_users: users.filter((user) => !user.is_active),
  }
}

/** Everybody as one of them sees them. */
export function presentUsers(
  ctx: RealmContext,
  me: User,
  viewing: Viewing,
  options: { profileData: boolean; namesUnknown: boolean },
): UserObject[] {
  const profiles = options.profileData ? profileDataByUser(ctx.db) : undefined
  const accessible = accessibleUserIds(ctx, ctx.db, me)
  return allUsers(ctx.db).flatMap((user) => {
    if (accessible?.has(user.id) !== false) {
      return [presentUser(user, viewing, profiles && (profiles.get(user.id) ?? {}))]
    }
    if (!options.namesUnknown) return []
    return [presentUser(asUnknown(ctx.realm, user), viewing, profiles && {})]
  })
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
