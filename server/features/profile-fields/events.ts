import { z } from 'zod'
import { ProfileFieldObject } from './present.ts'

export const profileFieldEvents = [
  z.strictObject({ type: z.literal('custom_profile_fields'), fields: z.array(ProfileFieldObject) }),
] as const
