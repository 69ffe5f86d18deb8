// What a group is still needed for, in words.

import { groupLabel } from '../../base/groups.ts'
import type { RealmState } from '../../live.ts'

export type Objection =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'realm'; settings: string[] }
  | { type: 'channel'; channel_id: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }

export function wordsOf({ groups, channels }: RealmState, objection: Objection): string[] {
  const nameOf = (id: number) => {
    const group = groups.get(id)
    return group ? groupLabel(group) : `group ${id}`
  }
  switch (objection.type) {
    case 'subgroup':
      return objection.supergroup_ids.map((id) => `It is a member of ${nameOf(id)}.`)
    case 'realm':
      return objection.settings.map((name) => `The organization lets it ${deed(name)}.`)
    case 'channel': {
      const name = channels.get(objection.channel_id)?.name
      const channel = name === undefined ? 'A channel that you cannot see' : `#${name}`
      return objection.settings.map((setting) => `${channel} lets it ${deed(setting)}.`)
    }
    case 'user_group':
      return objection.settings.map((name) => `${nameOf(objection.group_id)} lets it ${deed(name)}.`)
  }
}

/** `can_add_members_group` → `add members`. */
function deed(setting: string): string {
  const own = deeds[setting]
  return (
    own ??
    setting
      .replace(/^can_/, '')
      .replace(/_group$/, '')
      .replaceAll('_', ' ')
  )
}

const deeds: Record<string, string> = {
  can_access_all_users_group: 'see all users',
  can_administer_channel_group: 'administer the channel',
  can_join_group: 'join',
  can_leave_group: 'leave',
  can_manage_group: 'manage it',
  can_mention_group: 'mention it',
  can_send_message_group: 'post',
  can_subscribe_group: 'subscribe',
  create_multiuse_invite_group: 'create invitation links',
  direct_message_initiator_group: 'begin direct conversations',
  direct_message_permission_group: 'take part in direct conversations',
}
