/** `has`: what is in a message, or hangs on it. */
import { condition, type Operator } from './condition.ts'
import { invalid, textOf } from './operands.ts'

// Bits of `messages.contents`.
const things = new Map([
  ['link', 'm.contents & 1'],
  ['image', 'm.contents & 2'],
  ['attachment', 'm.contents & 4'],
  ['reaction', 'EXISTS (SELECT 1 FROM reactions x WHERE x.message_id = m.id)'],
])

export const contentOperators: Record<string, Operator> = {
  has: (_asking, operand) => {
    const thing = textOf('has', operand)
    return condition(things.get(thing) ?? things.get(thing.replace(/s$/, '')) ?? invalid('has', operand))
  },
}
