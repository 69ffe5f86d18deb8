import { z } from 'zod'
import { UserObject } from './present.ts'
import { roleNumbers } from './roles.ts'

const person = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ user_id: z.int(), ...shape })

export const userEvents = [
  z.strictObject({ type: z.literal('realm_user'), op: z.literal('add'), person: UserObject }),
  /** A guest with a limited view lost sight of somebody. */
  z.strictObject({
    type: z.literal('realm_user'),
    op: z.literal('remove'),
    person: person({ full_name: z.string() }),
  }),
  z.strictObject({
    type: z.literal('realm_user'),
    op: z.literal('update'),
    person: z.union([
      person({ full_name: z.string() }),
      person({
        avatar_source: z.enum(['G', 'U']),
        avatar_url: z.string(),
        avatar_url_medium: z.string(),
        avatar_version: z.int(),
      }),
      person({ timezone: z.string(), email: z.string() }),
      person({ bot_owner_id: z.int() }),
      person({ delivery_email: z.string().nullable() }),
      person({ new_email: z.string() }),
      person({
        custom_profile_field: z.strictObject({
          id: z.int(),
          value: z.string().nullable(),
          rendered_value: z.string().optional(),
        }),
      }),
      person({ role: z.literal(roleNumbers) }),
      person({ is_active: z.boolean() }),
    ]),
  }),
] as const
