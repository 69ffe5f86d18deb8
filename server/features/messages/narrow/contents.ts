/** `has`: what is in a message, or hangs on it. */
import { type Condition, condition, type Operator } from './condition.ts'
import { invalid, textOf } from './operands.ts'

// Bits of `messages.contents`.
const things = new Map([
  ['link', 'm.contents & 1'],
  ['image', 'm.contents & 2'],
  ['attachment', 'm.contents & 4'],
])

// The list is of all realms: there is no index that has one's own.
const hasReaction: Condition = {
  ...condition('EXISTS (SELECT 1 FROM reactions x WHERE x.message_id = m.id)'),
  listed: { sql: 'SELECT x.message_id AS id FROM reactions x', parameters: [] },
}

export const contentOperators: Record<string, Operator> = {
  has: (_asking, operand) => {
    const thing = textOf('has', operand).replace(/s$/, '')
    if (thing === 'reaction') return hasReaction
    return condition(things.get(thing) ?? invalid('has', operand))
  },
}
