/** Settings of channels in the words of the notification bot. */
import type { Reader } from '../../db/transaction.ts'
import type { GroupSettingValue } from '../user-groups/settings.ts'
import { groupById } from '../user-groups/store.ts'
import { usersByIds } from '../users/store.ts'
import type { Channel } from './store.ts'

type Privacy = Pick<Channel, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>

export function describePrivacy(channel: Privacy): string {
  if (channel.is_web_public) return 'Web-public'
  if (!channel.invite_only) return 'Public'
  return channel.history_public_to_subscribers ? 'Private, shared history' : 'Private, protected history'
}

/** A description as a block of its own. */
export const quoted = (description: string): string =>
  `\`\`\`\` quote\n${description || '*No description.*'}\n\`\`\`\``

/** @param days -1: for ever */
export const describeRetention = (days: number): string =>
  days === -1 ? 'forever' : `${days} ${days === 1 ? 'day' : 'days'}`

export function describeValue(db: Reader, value: GroupSettingValue): string {
  const [users, groups] =
    typeof value === 'number' ? [[], [value]] : [value.direct_members, value.direct_subgroups]
  const names = [
    ...groups.flatMap((id) => {
      const group = groupById(db, id)
      if (!group) return []
      return group.is_system_group ? [group.description] : [`@_*${group.name}*`]
    }),
    ...usersByIds(db, users).map((user) => `@_**${user.full_name}|${user.id}**`),
  ]
  return names.length > 0 ? names.join(', ') : 'Nobody'
}
