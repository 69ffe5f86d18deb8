/** What can be said of an invitation when it is made. */
import { z } from 'zod'
import { json, text } from '../../http/params.ts'
import { Role, roleNumbers } from '../users/roles.ts'

/** Ten days, in minutes. */
const DEFAULT_LIFE = 14_400

export const invitationParams = {
  invite_as: text(z.literal(roleNumbers).default(Role.member)),
  invite_expires_in_minutes: json(z.int().min(1).max(2_000_000_000).nullable().default(DEFAULT_LIFE), {
    description: 'Null: never.',
  }),
  group_ids: json(z.array(z.int()).default([])),
  include_realm_default_subscriptions: text(z.boolean().default(false)),
} as const
