import { z } from 'zod'
import { RealmFields } from './present.ts'

const realm = z.literal('realm')

/** Settings that are told of one at a time. */
const single = ['avatar_changes_disabled', 'message_retention_days'] as const
export type SingleSetting = (typeof single)[number]
export const isSingle = (name: string): name is SingleSetting => single.some((one) => one === name)

const Changes = RealmFields.omit({ avatar_changes_disabled: true, message_retention_days: true })
  .extend({
    icon_source: z.enum(['G', 'U']),
    icon_url: z.string(),
    logo_source: z.enum(['D', 'U']),
    logo_url: z.string(),
    night_logo_source: z.enum(['D', 'U']),
    night_logo_url: z.string(),
  })
  .partial()

export const realmEvents = [
  z.strictObject({
    type: realm,
    op: z.literal('update_dict'),
    /** What belongs together; the pictures have groups of their own. */
    property: z.enum(['default', 'icon', 'logo', 'night_logo']),
    /** What changed and nothing else. */
    data: Changes,
  }),
  z.strictObject({
    type: realm,
    op: z.literal('update'),
    property: z.enum(single),
    value: z.union([z.boolean(), z.int()]),
  }),
  z.strictObject({ type: realm, op: z.literal('deactivated'), realm_id: z.int() }),
] as const
