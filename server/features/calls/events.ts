import { z } from 'zod'

export const callEvents = [z.strictObject({ type: z.literal('has_call_token'), value: z.boolean() })] as const
