import { z } from 'zod'

export const invitationEvents = [z.strictObject({ type: z.literal('invites_changed') })] as const
