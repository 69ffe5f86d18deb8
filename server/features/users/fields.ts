/** What names, addresses and passwords may be. */
import { z } from 'zod'
import { MAX_FULL_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../realms/settings.ts'
import { idInDummyEmail } from './visibility.ts'

export const Email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email('Enter a valid email address.'))
  // These stand for other people's.
  .refine((email) => idInDummyEmail(email) === undefined, 'Enter a valid email address.')

/** Mentions are written `@**name**` and `@**name|id**`, so a name cannot hold what ends one. */
export const FullName = z
  .string()
  .trim()
  .min(1, 'Name too short!')
  .max(MAX_FULL_NAME_LENGTH, 'Name too long!')
  .regex(/^[^*`\\>"@\p{C}]+$/u, 'Invalid characters in name!')
  .regex(/^(?!.*\|\d+$)/, 'Invalid format!')

export const Password = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `The password is too short: at least ${MIN_PASSWORD_LENGTH} characters.`)
  .max(MAX_PASSWORD_LENGTH, `The password is too long: at most ${MAX_PASSWORD_LENGTH} characters.`)
