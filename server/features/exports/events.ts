import { z } from 'zod'

const seconds = z.number().nullable()

/** An export as clients see it. */
export const RealmExport = z.strictObject({
  id: z.int(),
  acting_user_id: z.int(),
  /** 1 what is public, 2 also what those who consented can read. */
  export_type: z.literal([1, 2]),
  export_time: z.number(),
  /** Null until it can be fetched, and after it was deleted. */
  export_url: z.string().nullable(),
  pending: z.boolean(),
  failed_timestamp: seconds,
  deleted_timestamp: seconds,
})
export type RealmExport = z.output<typeof RealmExport>

export const exportEvents = [
  /** All there are now. */
  z.strictObject({ type: z.literal('realm_export'), exports: z.array(RealmExport) }),
  z.strictObject({ type: z.literal('realm_export_consent'), user_id: z.int(), consented: z.boolean() }),
] as const
