import { z } from 'zod'

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

/** The name of a domain as it stands in addresses, in lower case. */
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(80)
  .regex(new RegExp(`^(${LABEL}\\.)+${LABEL}$`), 'Invalid domain')
