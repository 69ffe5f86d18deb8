import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { accessibleUserIds, type User } from '../users/access.ts'
import { allUsers } from '../users/store.ts'
import { allStatuses, noStatus, type StatusRow } from './store.ts'

export const StatusObject = z.strictObject({
  away: z.boolean().optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji']).optional(),
})
export type StatusObject = z.output<typeof StatusObject>

/** Only what there is. */
export function presentStatus(
  user: Pick<User, 'settings'>,
  status: Omit<StatusRow, 'user_id'>,
): StatusObject {
  const { status_text, emoji_name, emoji_code, reaction_type } = status
  return {
    ...(settingsOf(user).presence_enabled ? {} : { away: true }),
    ...(status_text === '' ? {} : { status_text }),
    ...(reaction_type === '' ? {} : { emoji_name, emoji_code, reaction_type }),
  }
}

/** By user, of those that the reader may know of and that have one. */
export function statusSnapshot(ctx: RealmContext, me: User): Record<string, StatusObject> {
  const known = accessibleUserIds(ctx, ctx.db, me)
  const statuses = new Map(allStatuses(ctx.db).map((status) => [status.user_id, status]))
  const told: Record<string, StatusObject> = {}
  for (const user of allUsers(ctx.db)) {
    const status = statuses.get(user.id)
    // Most people of a large organization say nothing.
    if (!user.is_active || (!status && settingsOf(user).presence_enabled)) continue
    if (known === null || known.has(user.id)) told[user.id] = presentStatus(user, status ?? noStatus)
  }
  return told
}
