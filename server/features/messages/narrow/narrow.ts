/** Narrows as SQL: which messages a client wants, of those that it may have. */
import { readableIds } from '../access.ts'
import { type Asking, type Condition, condition, type Fits, idList, type Operator } from './condition.ts'
import { contentOperators } from './contents.ts'
import { findIds } from './find.ts'
import { BadNarrowError } from './operands.ts'
import { assertNegatable, conversationNamed, placeOperators } from './places.ts'
import { searchOf, searchOperators, withoutWords } from './search.ts'
import { stateOperators } from './states.ts'
import { type Narrow, type Term, toTerm } from './terms.ts'
import { visibility } from './visibility.ts'
import { followMessage } from './with.ts'

const operators: Record<string, Operator> = {
  ...placeOperators,
  ...stateOperators,
  ...contentOperators,
  ...searchOperators,
}

/**
 * The messages that fit a narrow.
 * @param among which of them: all that the one who asks may read, or (`any`) to be chosen from those known to be readable
 * @throws BadRequestError for an operator or operand that cannot be
 */
export function narrowToSql(asking: Asking, narrow: Narrow, among: 'readable' | 'any' = 'readable'): Fits {
  const terms = followMessage(asking, narrow.map(toTerm))
  const conversationId = onlyConversation(asking, terms)
  const parts = terms.map((term) => toCondition(asking, term, conversationId))
  const conditions = [...parts, ...(among === 'any' ? [] : visibility(asking, terms))]
  // The plus keeps SQLite from walking through the whole realm where something else says more.
  const isSelective = parts.some((part) => part.isSelective)
  const search = searchOf(asking, terms, conversationId)
  return {
    sql: [
      isSelective || search ? '+m.realm_id = :realm' : 'm.realm_id = :realm',
      ...conditions.map(({ sql }) => sql),
    ].join(' AND '),
    parameters: conditions.flatMap(({ parameters }) => parameters),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(search ? { search } : {}),
  }
}

function toCondition(asking: Asking, term: Term, conversationId: number | undefined): Condition {
  const { operator, operand, negated } = term
  const operate = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (!operate) throw new BadNarrowError(`unknown operator ${operator}`)
  if (!negated) return operate(asking, operand, conversationId)
  assertNegatable(operator)
  if (operator === 'search') return withoutWords(asking, operand)
  const { sql, parameters } = operate(asking, operand, conversationId)
  return { sql: `NOT (${sql})`, parameters }
}

/** The one conversation that everything wanted is in, where the narrow names one. */
function onlyConversation(asking: Asking, terms: readonly Term[]): number | undefined {
  for (const { operator, operand, negated } of terms) {
    if (!negated && (operator === 'channel' || operator === 'dm'))
      return conversationNamed(asking, operator, operand)
  }
  return undefined
}

/**
 * Which of these messages, of those that the one who asks may read, fit a narrow; ascending.
 * @param fits made with `any`
 */
export function idsThatFit({ ctx, db, me }: Asking, ids: readonly number[], fits: Fits): number[] {
  const readable = readableIds(ctx, db, me, ids)
  const among = condition('m.id IN (SELECT value FROM json_each(?))', idList(readable))
  return findIds(db, fits, { order: 'ASC', also: among })
}
