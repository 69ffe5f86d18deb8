/** Languages and time zones, as this machine knows them. */
import { z } from 'zod'

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** What a language is called in English; undefined for what is no language. */
export function languageName(code: string): string | undefined {
  try {
    return names.of(code.replace('_', '-'))
  } catch {
    return undefined
  }
}

export const Language = z
  .string()
  .max(50)
  .refine((code) => languageName(code) !== undefined, 'Invalid language')

/** An IANA identifier, or nothing. */
export const Timezone = z.string().max(40).refine(isTimezone, 'Invalid timezone')

function isTimezone(name: string): boolean {
  if (name === '') return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}
