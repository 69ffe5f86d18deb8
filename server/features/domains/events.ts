import { z } from 'zod'

const type = z.literal('realm_domains')
const RealmDomain = z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() })

export const domainEvents = [
  z.strictObject({ type, op: z.literal('add'), realm_domain: RealmDomain }),
  z.strictObject({ type, op: z.literal('change'), realm_domain: RealmDomain }),
  z.strictObject({ type, op: z.literal('remove'), domain: z.string() }),
] as const
