/** Messages that fit, by id. */
import type { SqlValue } from '../../../db/database.ts'
import type { Reader } from '../../../db/transaction.ts'
import type { Condition, Fits } from './condition.ts'

export interface Range {
  /** Only ids from here on. */
  from?: number
  /** Only ids up to here. */
  to?: number
  order: 'ASC' | 'DESC'
  limit?: number
  /** True of them as well. */
  also?: Condition
}

/** Ids of the messages that fit, in order. */
export function findIds(db: Reader, fits: Fits, { from, to, order, limit, also }: Range): number[] {
  // A search walks through the index's hits, newest first as they are stored, and stops when there are enough.
  const [source, id] = fits.search
    ? ['message_search CROSS JOIN messages m ON m.id = message_search.docid', 'message_search.docid']
    : ['messages m', 'm.id']
  const conditions: [string, readonly SqlValue[]][] = [
    ...(fits.search ? [['message_search MATCH ?', [fits.search.match]] as [string, SqlValue[]]] : []),
    ...(from === undefined ? [] : [[`${id} >= ?`, [from]] as [string, SqlValue[]]]),
    ...(to === undefined ? [] : [[`${id} <= ?`, [to]] as [string, SqlValue[]]]),
    [fits.sql, fits.parameters],
    ...(also ? [[also.sql, also.parameters] as [string, SqlValue[]]] : []),
  ]
  const sql = `SELECT m.id FROM ${source} WHERE ${conditions.map(([text]) => text).join(' AND ')}
    ORDER BY ${id} ${order} ${limit === undefined ? '' : 'LIMIT ?'}`
  const parameters = [...conditions.flatMap(([, values]) => values), ...(limit === undefined ? [] : [limit])]
  return db.sql<{ id: number }>(sql, parameters).map((row) => row.id)
}
