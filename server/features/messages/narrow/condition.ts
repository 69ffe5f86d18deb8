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
  /** Whether SQLite does best to find messages by this, rather than to try one after the other. */
  isSelective?: boolean
}

/** A whole narrow. */
export interface Fits extends Condition {
  /** The one conversation that everything wanted is in, where the narrow names one. */
  conversationId?: number
  /** What is searched for, where something is. */
  search?: { match: string; phrases: Phrase[] }
}

export const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })

/** One by which few messages are found quickly. */
export const selective = (sql: string, ...parameters: SqlValue[]): Condition => ({
  sql,
  parameters,
  isSelective: true,
})

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
