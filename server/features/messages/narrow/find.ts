/** Messages that fit, by id. */
import type { SqlValue } from '../../../db/database.ts'
import type { Reader } from '../../../db/transaction.ts'
import { type Condition, type Fits, idList } from './condition.ts'
import { hits } from './search.ts'
import type { Turns } from './turns.ts'

export interface Range {
  /** Only ids from here on. */
  from?: number
  /** Only ids up to here. */
  to?: number
  order: 'ASC' | 'DESC'
}

/** How many messages one turn tries: at first, and at the least and most that its pace makes of that. */
const [FIRST, LEAST, MOST] = [250, 10, 5000]
/** Milliseconds that a turn should take. */
const TURN = 15

/** Some of the messages of a range, beginning at its near end. */
interface Portion {
  sql: string
  parameters: SqlValue[]
  /** Id of the last of them; undefined: there are no more. */
  last: number | undefined
  /** Whether SQLite is to look them up one by one, whatever index there is. */
  isList: boolean
}

/**
 * Ids of the messages that fit, in order. The messages of the narrow's index, its list or its search are tried in
 * portions, so that what fits hardly any of them does not hold up the server.
 */
export function* findIds(
  db: Reader,
  fits: Fits,
  { from = 0, to = Number.MAX_SAFE_INTEGER, order, limit = Infinity }: Range & { limit?: number },
): Turns<number[]> {
  const found: number[] = []
  let range = { from, to, order }
  for (let size = FIRST; ; ) {
    const began = performance.now()
    const portion = nextPortion(db, fits, range, size)
    found.push(...fitting(db, fits, portion, order, limit - found.length))
    if (found.length >= limit || portion.last === undefined) return found
    range = order === 'ASC' ? { ...range, from: portion.last + 1 } : { ...range, to: portion.last - 1 }
    const pace = TURN / (performance.now() - began)
    size = Math.round(Math.min(Math.max(size * Math.min(pace, 2), LEAST), MOST))
    yield
  }
}

function nextPortion(
  db: Reader,
  { few, search, along }: Fits,
  { from, to, order }: Required<Range>,
  size: number,
): Portion {
  if (few || search !== undefined) {
    const listed = few?.filter((id) => id >= from && id <= to)
    const ids = listed
      ? (order === 'ASC' ? listed : listed.reverse()).slice(0, size)
      : hits(db, search ?? '', { from, to, order, limit: size })
    return {
      sql: 'm.id IN (SELECT value FROM json_each(?))',
      parameters: [idList(ids)],
      last: ids.length < size ? undefined : ids.at(-1),
      isList: true,
    }
  }
  const [edge] = db.sql<{ id: number }>(
    `SELECT m.id FROM messages m WHERE ${along.sql} AND m.id >= ? AND m.id <= ? AND :realm > 0
      ORDER BY m.id ${order} LIMIT 1 OFFSET ?`,
    [...along.parameters, from, to, size - 1],
  )
  const last = edge?.id
  return {
    sql: 'm.id >= ? AND m.id <= ?',
    parameters: order === 'ASC' ? [from, last ?? to] : [last ?? from, to],
    last,
    isList: false,
  }
}

function fitting(db: Reader, fits: Fits, portion: Portion, order: Range['order'], limit: number): number[] {
  const sql = `SELECT m.id FROM messages m ${portion.isList ? 'NOT INDEXED' : ''}
    WHERE ${portion.sql} AND ${fits.sql} ORDER BY m.id ${order} LIMIT ?`
  const parameters = [...portion.parameters, ...fits.parameters, Number.isFinite(limit) ? limit : -1]
  return db.sql<{ id: number }>(sql, parameters).map((row) => row.id)
}

/** The ids that a condition lists, ascending, or undefined where there are more than `limit`. */
export function listedIds(
  db: Reader,
  { sql, parameters }: NonNullable<Condition['listed']>,
  limit: number,
): number[] | undefined {
  const rows = db.sql<{ id: number }>(`SELECT id FROM (${sql}) WHERE :realm > 0 LIMIT ?`, [
    ...parameters,
    limit + 1,
  ])
  if (rows.length > limit) return undefined
  return [...new Set(rows.map((row) => row.id))].sort((a, b) => a - b)
}
