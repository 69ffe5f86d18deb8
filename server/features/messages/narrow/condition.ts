/** Conditions on a message, as SQL. */
import type { RealmContext } from '../../../context.ts'
import type { SqlValue } from '../../../db/database.ts'
import type { Reader } from '../../../db/transaction.ts'
import { UnauthorizedError } from '../../../http/errors.ts'
import type { Me } from '../../users/access.ts'
import type { Phrase } from '../search/phrases.ts'
import type { Operand } from './terms.ts'

export interface Condition {
  /** True of a message `m`. */
  sql: string
  parameters: SqlValue[]
  /** Whether an index has the messages of which this is true in the order of their ids. */
  isIndexed?: boolean
  /**
   * The ids of all of which this is true, and maybe of others, as SQL with a column `id`: for what is mostly true of
   * few. It is asked for a limited number of them.
   */
  listed?: { sql: string; parameters: readonly SqlValue[] }
}

/** A whole narrow. */
export interface Fits extends Condition {
  /** The one conversation that everything wanted is in, where the narrow names one. */
  conversationId?: number
  /** A part of it that an index has in the order of ids: along this messages are tried, one after the other. */
  along: Condition
  /** Ids that all it is true of are among, ascending, where these are known to be few. */
  few?: readonly number[]
  /** What is searched for. */
  phrases: Phrase[]
  /**
   * The full-text index's query for them; without it so many have the words that trying one message after the other
   * finds them sooner.
   */
  search?: string
}

export const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })

/** One for which there is an index. */
export const indexed = (sql: string, ...parameters: SqlValue[]): Condition => ({
  sql,
  parameters,
  isIndexed: true,
})

/** True where each of them is. */
export const all = (conditions: readonly Condition[]): Condition =>
  condition(
    conditions.map(({ sql }) => sql).join(' AND '),
    ...conditions.flatMap(({ parameters }) => parameters),
  )

/** Ids as a list that SQL can look into. */
export const idList = (ids: readonly number[]): string => JSON.stringify(ids)

export interface Asking {
  ctx: RealmContext
  db: Reader
  /** Null: somebody without an account, who reads what is public on the web. */
  me: Me | null
}

/** An operator: what its operand means. @throws BadRequestError where it can mean nothing */
export type Operator = (asking: Asking, operand: Operand, conversationId: number | undefined) => Condition

/** @throws UnauthorizedError where somebody without an account asks for what only users have */
export function userAsking({ me }: Asking): Me {
  if (!me) throw new UnauthorizedError()
  return me
}
