/** What a group is needed for, and why it cannot be deactivated therefore. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { allChannels } from '../channels/store.ts'
import { namesGroup } from './setting-param.ts'
import { channelPermissionNames, groupPermissionNames, realmPermissionNames } from './settings.ts'
import { allGroups, type Group, groupPermission, parseGroupSetting, supergroupIds } from './store.ts'

export type Objection =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'realm'; settings: string[] }
  | { type: 'channel'; channel_id: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }

/** Groups it is in, and settings of the realm, of active channels and of active groups that it is named in. */
export function objectionsTo(ctx: RealmContext, db: Reader, group: Group): Objection[] {
  const objections: Objection[] = []
  const supergroups = supergroupIds(db, group.id)
  if (supergroups.length > 0) objections.push({ type: 'subgroup', supergroup_ids: supergroups })
  const ofRealm = realmPermissionNames.filter((name) => {
    const value = ctx.realm.settings[name]
    return value !== undefined && namesGroup(value, group.id)
  })
  if (ofRealm.length > 0) objections.push({ type: 'realm', settings: ofRealm })
  for (const channel of allChannels(db)) {
    if (channel.is_archived) continue
    const settings = channelPermissionNames.filter((name) =>
      namesGroup(parseGroupSetting(channel[name]), group.id),
    )
    if (settings.length > 0) objections.push({ type: 'channel', channel_id: channel.id, settings })
  }
  for (const other of allGroups(db)) {
    // What a group may do to itself ends with it.
    if (other.deactivated || other.id === group.id) continue
    const settings = groupPermissionNames.filter((name) =>
      namesGroup(groupPermission(db, other, name), group.id),
    )
    if (settings.length > 0) objections.push({ type: 'user_group', group_id: other.id, settings })
  }
  return objections
}
