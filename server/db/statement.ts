/** Queries built once and run many times: building one and confining it to its realm costs more than running it. */
import type { Compilable, Kysely } from 'kysely'
import type { SqlValue } from './database.ts'
import type { RealmTables } from './tables.ts'

export interface CompiledSql {
  sql: string
  parameters: readonly SqlValue[]
}

/** A statement with its arguments, to be run by a `Reader` or `Tx`. */
export interface Bound<Result> {
  /** @param q the builder of the realm `realmId` */
  compileFor(q: Kysely<RealmTables>, realmId: number): CompiledSql
  /** Never there: it carries the type of the rows. */
  readonly result?: Result
}

/** Stands for an argument while the statement is built. */
class Hole {
  constructor(readonly index: number) {}
}

/**
 * Declares a query whose text is always the same. Its arguments may be compared with and stored; they cannot decide
 * what the query is, nor be lists.
 * @param arity how many arguments there are, where `build` takes them as a rest parameter
 */
export function statement<Args extends readonly SqlValue[], Result>(
  build: (q: Kysely<RealmTables>, ...args: Args) => Compilable<Result>,
  arity = build.length - 1,
): (...args: Args) => Bound<Result> {
  const compiled = new Map<number, { sql: string; parameters: readonly unknown[] }>()
  const compileFor = (q: Kysely<RealmTables>, realmId: number) => {
    let known = compiled.get(realmId)
    if (!known) {
      const holes = Array.from({ length: arity }, (_, index) => new Hole(index))
      known = build(q, ...(holes as unknown as Args)).compile()
      compiled.set(realmId, known)
    }
    return known
  }
  return (...args) => ({
    compileFor: (q, realmId) => {
      const { sql, parameters } = compileFor(q, realmId)
      const values = parameters.map((value) => (value instanceof Hole ? args[value.index] : value))
      return { sql, parameters: values as SqlValue[] }
    },
  })
}
