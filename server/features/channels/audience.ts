/** Who hears of a channel. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { holdersOf } from '../user-groups/access.ts'
import type { ChannelPermission } from '../user-groups/settings.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { isAdministrator, isGuest } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import type { Channel } from './store.ts'
import { subscriberIds } from './store.ts'

/** Permissions whose holders know of a private channel without being subscribed. */
const opening: readonly ChannelPermission[] = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
]

/**
 * Ids of the active users who may know of a channel and who is subscribed to it: `ChannelAccess.maySee`
 * for everybody at once.
 */
export function idsWhoMaySee(ctx: RealmContext, db: Reader, channel: Channel): Set<number> {
  const subscribers = subscriberIds(db, channel.id)
  const people = activePeople(db)
  if (channel.is_web_public) return new Set(people.map(({ id }) => id))
  const members = people.filter((person) => !isGuest(person))
  const ids = new Set(subscribers)
  if (!channel.invite_only) {
    for (const { id } of members) ids.add(id)
    return ids
  }
  for (const person of members) if (isAdministrator(person)) ids.add(person.id)
  for (const permission of opening) {
    const value = parseGroupSetting(channel[permission])
    for (const id of holdersOf(db, ctx.realm, value, members, ctx.server.now() / 1000)) ids.add(id)
  }
  return ids
}
