/** What features read and write with: queries confined to one realm, and the events a write gives rise to. */
import type { Compilable, Insertable, Kysely } from 'kysely'
import type { Audience, ParleyEvent } from '../events/union.ts'
import type { Database, SqlValue } from './database.ts'
import { builder, realmScope } from './kysely.ts'
import { type Bound, type CompiledSql, statement } from './statement.ts'
import { isRealmTable, type RealmTables } from './tables.ts'

/** What a transaction leaves to be done once it is committed. */
export interface Outcome {
  events: NotedEvent[]
  afterwards: (() => void)[]
  /** To be done instead when it is rolled back. */
  takenBack: (() => void)[]
}

export interface NotedEvent {
  realmId: number
  event: ParleyEvent
  audience: Audience
}

const scopedBuilders = new Map<number, Kysely<RealmTables>>()

function builderFor(realmId: number): Kysely<RealmTables> {
  let scoped = scopedBuilders.get(realmId)
  if (!scoped) {
    scoped = builder.withPlugin(realmScope(realmId, isRealmTable)) as unknown as Kysely<RealmTables>
    scopedBuilders.set(realmId, scoped)
  }
  return scoped
}

/** A query of the builder, or one declared with `statement`. */
type Query<Result> = Compilable<Result> | Bound<Result>

const insertStatements = new Map<string, (...values: SqlValue[]) => Bound<unknown>>()

/** Rows of the same columns are inserted by the same statement. */
function insertStatement(table: keyof RealmTables & string, row: object): Bound<unknown> {
  const columns = Object.keys(row)
  const key = `${table}(${columns.join()})`
  let insert = insertStatements.get(key)
  if (!insert) {
    insert = statement((q, ...values: SqlValue[]) => {
      const named = Object.fromEntries(columns.map((column, i) => [column, values[i]]))
      return q.insertInto(table).values(named as never)
    }, columns.length)
    insertStatements.set(key, insert)
  }
  return insert(...(Object.values(row) as SqlValue[]))
}

/** Reads of one realm. A query made with `q` cannot see another realm's rows, whatever it asks for. */
export class Reader {
  readonly q: Kysely<RealmTables>

  constructor(
    /** For what is kept in memory of it (`kept.ts`); queries go through the methods below. */
    readonly database: Database,
    readonly realmId: number,
  ) {
    this.q = builderFor(realmId)
  }

  all<Result>(query: Query<Result>): Result[] {
    const { sql, parameters } = this.compile(query)
    return this.database.all<Result>(sql, parameters)
  }

  first<Result>(query: Query<Result>): Result | undefined {
    const { sql, parameters } = this.compile(query)
    return this.database.first<Result>(sql, parameters)
  }

  protected compile(query: Query<unknown>): CompiledSql {
    return 'compileFor' in query ? query.compileFor(this.q, this.realmId) : (query.compile() as CompiledSql)
  }

  /**
   * Hand-written SQL, for what the builder cannot say or says too slowly. It must confine itself to the realm by
   * using `:realm`, which stands for this realm's id; every other parameter is a `?`. Written `+realm_id = :realm`
   * the condition holds without SQLite taking it for the best way to find the rows.
   */
  sql<Result>(text: string, parameters: readonly SqlValue[] = []): Result[] {
    return this.database.all<Result>(this.inRealm(text), parameters)
  }

  protected inRealm(text: string): string {
    if (!text.includes(':realm')) throw new TypeError(`Hand-written SQL must use :realm: ${text}`)
    return text.replaceAll(':realm', String(this.realmId))
  }
}

/** A write in progress. Only `Context.transact` makes one; actions are handed it and never open their own. */
export class Tx extends Reader {
  constructor(
    database: Database,
    realmId: number,
    /** UNIX seconds, the same all through the transaction. */
    readonly now: number,
    private readonly outcome: Outcome,
  ) {
    super(database, realmId)
  }

  /** Runs a query that writes. Answers how many rows it changed. */
  run(query: Query<unknown>): number {
    const { sql, parameters } = this.compile(query)
    return this.database.run(sql, parameters).changes
  }

  /** Runs hand-written SQL that writes; the rules of {@link Reader.sql} hold. Answers how many rows it changed. */
  runSql(text: string, parameters: readonly SqlValue[] = []): number {
    return this.database.run(this.inRealm(text), parameters).changes
  }

  /** Inserts one row into the realm. Answers its id. */
  insert<Table extends keyof RealmTables & string>(
    table: Table,
    row: Insertable<RealmTables[Table]>,
  ): number {
    const { sql, parameters } = this.compile(insertStatement(table, row))
    return this.database.run(sql, parameters).lastId
  }

  /** Notes an event. It is sent when the transaction is on disk, and forgotten when it is rolled back. */
  emit(event: ParleyEvent, audience: Audience): void {
    this.outcome.events.push({ realmId: this.realmId, event, audience })
  }

  /** Has something done to what is only in memory, after the commit; never after a rollback. */
  afterwards(act: () => void): void {
    this.outcome.afterwards.push(act)
  }

  /** Has something done to what is only in memory when the transaction is rolled back; never after a commit. */
  ifTakenBack(act: () => void): void {
    this.outcome.takenBack.push(act)
  }
}
