/** What names and descriptions of groups may be. */
import { z } from 'zod'

const MAX_GROUP_NAME_LENGTH = 100
const MAX_GROUP_DESCRIPTION_LENGTH = 1024

/** Prefixes that would make a mention or a setting ambiguous. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:']

export const GroupName = z
  .string()
  .trim()
  .min(1, "User group name can't be empty!")
  .max(MAX_GROUP_NAME_LENGTH, `User group name cannot exceed ${MAX_GROUP_NAME_LENGTH} characters.`)
  .regex(/^[^\p{Cc}\p{Cs}\p{Cn}*`]*$/u, 'Invalid character in user group name!')
  .refine((name) => !reserved.some((prefix) => name.startsWith(prefix)), {
    message: `User group name cannot start with any of ${reserved.join(', ')}`,
  })

export const GroupDescription = z
  .string()
  .trim()
  .max(
    MAX_GROUP_DESCRIPTION_LENGTH,
    `description is too long (limit: ${MAX_GROUP_DESCRIPTION_LENGTH} characters)`,
  )
