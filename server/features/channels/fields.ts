/** What names, descriptions and settings of channels may be. */
import { z } from 'zod'
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '../realms/settings.ts'

export const ChannelName = z
  .string()
  .trim()
  .min(1, "Channel name can't be empty.")
  .max(MAX_CHANNEL_NAME_LENGTH, `Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`)
  .regex(/^[^\p{Cc}\p{Cs}\p{Cn}]*$/u, 'Invalid character in channel name!')

/** Line breaks become spaces: a description is one line. */
export const ChannelDescription = z
  .string()
  .max(
    MAX_CHANNEL_DESCRIPTION_LENGTH,
    `description is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`,
  )
  .overwrite((given) => given.replace(/\s*\n\s*/g, ' ').trim())

/** Days, or a word: `realm_default` (null here), `unlimited` (-1); `forever` is what it was called before. */
export const RetentionDays = z.union([z.int().positive(), z.enum(['realm_default', 'unlimited', 'forever'])])

export function parseRetention(given: z.output<typeof RetentionDays>): number | null {
  if (typeof given === 'number') return given
  return given === 'realm_default' ? null : -1
}
