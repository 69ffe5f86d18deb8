/** What people without an account may ask for. */
import type { RealmContext } from '../../../context.ts'
import { UnauthorizedError } from '../../../http/errors.ts'
import { assertSpectatorsWelcome } from '../access.ts'
import { type Narrow, type Term, toTerm } from './terms.ts'

const open = new Set(['channels', 'channel', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with'])

const isWebPublic = ({ operator, operand, negated }: Term): boolean =>
  operator === 'channels' && operand === 'web-public' && !negated

/** @throws UnauthorizedError unless the narrow says that it is about web-public channels, and is about nothing else */
export function assertForSpectators(ctx: RealmContext, narrow: Narrow): void {
  assertSpectatorsWelcome(ctx)
  const terms = narrow.map(toTerm)
  const isOpen = ({ operator, operand }: Term) =>
    open.has(operator) || (operator === 'is' && operand === 'resolved')
  if (!terms.some(isWebPublic) || !terms.every(isOpen)) throw new UnauthorizedError()
}
