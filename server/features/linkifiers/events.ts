import { z } from 'zod'

export const LinkifierObject = z.strictObject({ id: z.int(), pattern: z.string(), url_template: z.string() })

export const linkifierEvents = [
  z.strictObject({ type: z.literal('realm_linkifiers'), realm_linkifiers: z.array(LinkifierObject) }),
] as const
