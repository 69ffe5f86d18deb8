/** What can be said of a bot when it is made and later. */
import { z } from 'zod'
import { json, text } from '../../http/params.ts'
import { FullName } from '../users/fields.ts'

/** The part of a bot's address that its owner chooses. */
export const ShortName = z
  .string()
  .trim()
  .transform((name) => name.replace(/-bot$/, ''))
  .pipe(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, 'Bad name or username'))

/** Where an outgoing webhook bot is called. */
export const PayloadUrl = z
  .string()
  .trim()
  .max(2000)
  .refine((url) => URL.canParse(url) && /^https?:\/\//i.test(url), 'Not a valid URL')

/** 1: the format of this interface, the only one that is spoken. */
export const Interface = z.literal(1)

export const botChannels = {
  default_sending_stream: text(z.string().optional()),
  default_events_register_stream: text(z.string().optional()),
  default_all_public_streams: text(z.boolean().optional()),
} as const

export const fullName = text(FullName)
export const payloadUrl = json(PayloadUrl.optional())
