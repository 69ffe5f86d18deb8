import { z } from 'zod'
import { UserObject } from './present.ts'
import { roleNumbers } from './roles.ts'

const person = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ user_id: z.int(), ...shape })

export const userEvents = [
  z.strictObject({ type: z.literal('realm_user'), op: z.literal('add'), person: UserObject }),
  z.strictObject({
    type: z.literal('realm_user'),
    op: z.literal('update'),
    person: z.union([
      person({ full_name: z.string() }),
      person({ role: z.literal(roleNumbers) }),
      person({ is_active: z.boolean() }),
    ]),
  }),
] as const
