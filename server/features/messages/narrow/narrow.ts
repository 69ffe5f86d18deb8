/** Narrows as SQL: which messages a client wants, of those that it may have. */
import type { Reader } from '../../../db/transaction.ts'
import type { User } from '../../users/access.ts'
import { type Asking, all, type Condition, condition, type Fits, type Operator } from './condition.ts'
import { contentOperators } from './contents.ts'
import { findIds, listedIds } from './find.ts'
import { BadNarrowError } from './operands.ts'
import { assertNegatable, conversationNamed, placeOperators } from './places.ts'
import { phrasesWanted, searchOf, searchOperators } from './search.ts'
import { stateOperators, unreadBy } from './states.ts'
import { type Narrow, type Term, toTerm } from './terms.ts'
import { visibility } from './visibility.ts'
import type { Turns } from './turns.ts'
import { followMessage } from './with.ts'

const operators: Record<string, Operator> = {
  ...placeOperators,
  ...stateOperators,
  ...contentOperators,
  ...searchOperators,
}

/**
 * The messages that fit a narrow.
 * @param among which of them: all that the one who asks may read, or (`any`) all that there are, whoever may read them
 * @throws BadRequestError for an operator or operand that cannot be
 */
export function narrowToSql(asking: Asking, narrow: Narrow, among: 'readable' | 'any' = 'readable'): Fits {
  const terms = followMessage(asking, narrow.map(toTerm))
  const conversationId = onlyConversation(asking, terms)
  const parts = terms.map((term) => toCondition(asking, term, conversationId))
  const isWords = (_part: Condition, index: number) => terms[index]?.operator === 'search'
  const conditions = [
    // The plus keeps SQLite from walking through the whole realm where an index says more.
    condition(parts.some(({ isIndexed }) => isIndexed) ? '+m.realm_id = :realm' : 'm.realm_id = :realm'),
    ...parts.filter((part, index) => !isWords(part, index)),
    ...(among === 'any' ? [] : visibility(asking, terms)),
    // SQLite tries them in this order, and to take out the words is the most work.
    ...parts.filter(isWords),
  ]
  const phrases = phrasesWanted(asking, terms)
  const found = among === 'any' ? {} : searchOf(asking, terms, phrases, conversationId)
  const few = among === 'any' ? undefined : fewest(asking, parts, found.few)
  return {
    ...all(conditions),
    phrases,
    along: along(terms, parts, conversationId),
    ...found,
    ...(few ? { few } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
  }
}

/** More ids than these are not listed: it takes longer than to try the messages they may be among. */
const MAX_LISTED = 5000
/** More lists than these are not asked for. */
const MAX_LISTS = 5
/** So few that it is not worth looking for fewer. */
const FEW = 200

/** The shortest list of ids that everything that fits is among. */
function fewest(asking: Asking, parts: readonly Condition[], known?: readonly number[]) {
  let shortest = known
  const lists = parts.flatMap(({ listed }) => listed ?? []).slice(0, MAX_LISTS)
  for (const listed of lists) {
    if (shortest && shortest.length < FEW) break
    const ids = listedIds(asking.db, listed, (shortest?.length ?? MAX_LISTED + 1) - 1)
    if (ids) shortest = ids
  }
  return shortest
}

/** What of a narrow an index has in the order of ids, the less of it the better. */
function along(
  terms: readonly Term[],
  parts: readonly Condition[],
  conversationId: number | undefined,
): Condition {
  const partOf = (name: string) =>
    parts.find((_part, index) => terms[index]?.operator === name && !terms[index].negated)
  if (conversationId === undefined) return partOf('sender') ?? condition('m.realm_id = :realm')
  const topic = partOf('topic')
  return all([condition('m.conversation_id = ?', conversationId), ...(topic ? [topic] : [])])
}

function toCondition(asking: Asking, term: Term, conversationId: number | undefined): Condition {
  const { operator, operand, negated } = term
  const operate = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (!operate) throw new BadNarrowError(`unknown operator ${operator}`)
  if (!negated) return operate(asking, operand, conversationId)
  assertNegatable(operator)
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

/** Of what fits, what its reader has not read. */
export function unreadOf(db: Reader, me: User, fits: Fits): Fits {
  const unread = unreadBy(me.id, fits.conversationId)
  const few = listedIds(db, unread.listed, (fits.few?.length ?? MAX_LISTED + 1) - 1)
  return { ...fits, ...all([fits, unread]), ...(few ? { few } : {}) }
}

/** Which of these messages fit a narrow, ascending. @param fits made with `any` */
export const idsThatFit = (db: Reader, ids: readonly number[], fits: Fits): Turns<number[]> =>
  findIds(db, { ...fits, few: [...new Set(ids)].sort((a, b) => a - b) }, { order: 'ASC' })
