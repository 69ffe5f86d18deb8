/** Narrows as clients write them. */
import { z } from 'zod'

export const Operand = z.union([z.string(), z.int(), z.array(z.int())])
export type Operand = z.output<typeof Operand>

/** An element of a narrow: an object, or a pair as older clients send. */
export const NarrowTerm = z.union([
  z.strictObject({ operator: z.string(), operand: Operand, negated: z.boolean().optional() }),
  z.tuple([z.string(), z.string()]),
])
export const Narrow = z.array(NarrowTerm).max(100)
export type Narrow = z.output<typeof Narrow>

export interface Term {
  operator: string
  operand: Operand
  negated: boolean
}

/** Names that operators had before. */
const renamed = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm-including', 'dm-including'],
  ['from', 'sender'],
  ['subject', 'topic'],
])

/** An element with the present name of its operator. A minus before the name negates, as pairs need it. */
export function toTerm(given: Narrow[number]): Term {
  const [operator, operand, negated] = Array.isArray(given)
    ? [given[0], given[1], false]
    : [given.operator, given.operand, given.negated ?? false]
  const minus = operator.startsWith('-')
  // Clients of long ago write `pm_with`.
  const name = (minus ? operator.slice(1) : operator).replaceAll('_', '-')
  return { operator: renamed.get(name) ?? name, operand, negated: negated !== minus }
}

/** What topics that are done with begin with (specification, "States and transitions"). */
export const RESOLVED_PREFIX = '✔ '
