import { type Generated, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Database, openDatabase, type SqlValue } from './database.ts'
import { builder, realmScope } from './kysely.ts'

interface TestTables {
  users: { id: Generated<number>; realm_id: number; name: string; boss_id: number | null }
  messages: { id: Generated<number>; realm_id: number; user_id: number; body: string }
  tags: { name: string; realm_id: Generated<number>; uses: Generated<number> }
  settings: { key: string; value: string }
}

const isRealmTable = (table: string) => table !== 'settings'
const scoped = (realmId: number) =>
  builder.withPlugin(realmScope(realmId, isRealmTable)) as unknown as Kysely<TestTables>
const q = scoped(1)

let folder: string
let db: Database

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-kysely-'))
  db = await openDatabase(path.join(folder, 'test.db'))
})

afterAll(async () => {
  await db.close()
  fs.rmSync(folder, { recursive: true })
})

/** Realm 1 has Ann and her boss Bob, realm 2 Cleo and Dan; Dan's boss is, by some mistake, Ann. */
beforeEach(() => {
  db.exec(`
    DROP TABLE IF EXISTS users;
    DROP TABLE IF EXISTS messages;
    DROP TABLE IF EXISTS tags;
    DROP TABLE IF EXISTS settings;
    CREATE TABLE users (id INTEGER PRIMARY KEY, realm_id INTEGER NOT NULL, name TEXT, boss_id INTEGER);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, realm_id INTEGER NOT NULL, user_id INTEGER, body TEXT);
    CREATE TABLE tags (name TEXT PRIMARY KEY, realm_id INTEGER NOT NULL DEFAULT 9, uses INTEGER DEFAULT 1);
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO users VALUES (1, 1, 'Ann', 2), (2, 1, 'Bob', NULL), (3, 2, 'Cleo', 4), (4, 2, 'Dan', 1);
    INSERT INTO messages VALUES (1, 1, 1, 'from Ann'), (2, 1, 2, 'from Bob'), (3, 2, 3, 'from Cleo'),
      (4, 2, 1, 'astray');
    INSERT INTO tags VALUES ('ours', 1, 1), ('theirs', 2, 1);
    INSERT INTO settings VALUES ('language', 'en')`)
})

interface Query<Row> {
  compile(): { sql: string; parameters: readonly unknown[]; readonly __row?: Row }
}
function rows(query: Query<unknown>): Record<string, SqlValue>[] {
  const { sql, parameters } = query.compile()
  return db.all(sql, parameters as SqlValue[])
}
const valuesOf = (query: Query<unknown>) => rows(query).flatMap((row) => Object.values(row))
const everything = (table: keyof TestTables) => db.all(`SELECT * FROM ${table} ORDER BY 1`)

describe('what is read', () => {
  test('the condition names the table and binds the realm', () => {
    expect(q.selectFrom('users').select('name').where('id', '=', 7).compile()).toMatchObject({
      sql: 'select "name" from "users" where ("id" = ?) and "users"."realm_id" = ?',
      parameters: [7, 1],
    })
  })

  test('only rows of the realm', () => {
    expect(valuesOf(q.selectFrom('users').select('name').orderBy('id'))).toEqual(['Ann', 'Bob'])
    expect(valuesOf(scoped(2).selectFrom('users').select('name').orderBy('id'))).toEqual(['Cleo', 'Dan'])
  })

  test("a table of the server's is left alone", () => {
    expect(q.selectFrom('settings').selectAll().compile().sql).toBe('select * from "settings"')
  })

  test('an OR does not get around it, nor one in a fragment', () => {
    const either = q
      .selectFrom('users')
      .select('name')
      .where((eb) => eb.or([eb('id', '=', 1), eb('id', '=', 3)]))
    expect(valuesOf(either)).toEqual(['Ann'])
    expect(valuesOf(q.selectFrom('users').select('name').where(sql<boolean>`id = 1 OR id = 3`))).toEqual([
      'Ann',
    ])
  })

  test('aliases, two tables, and a table with itself', () => {
    expect(valuesOf(q.selectFrom('users as u').select('u.name').where('u.id', '>', 1))).toEqual(['Bob'])
    expect(valuesOf(q.selectFrom(['users as a', 'users as b']).select(['a.id', 'b.id as other']))).toEqual([
      1, 1, 1, 2, 2, 1, 2, 2,
    ])
  })

  test('joins: what is joined from another realm is as if it were not there', () => {
    const bosses = scoped(2)
      .selectFrom('users as u')
      .leftJoin('users as boss', 'boss.id', 'u.boss_id')
      .select(['u.name', 'boss.name as boss'])
      .orderBy('u.id')
    expect(rows(bosses)).toEqual([
      { name: 'Cleo', boss: 'Dan' },
      { name: 'Dan', boss: null },
    ])
    const inner = scoped(2)
      .selectFrom('messages')
      .innerJoin('users', 'users.id', 'messages.user_id')
      .select(['messages.id', 'users.name'])
    expect(rows(inner)).toEqual([{ id: 3, name: 'Cleo' }])
    expect(rows(q.selectFrom('settings').crossJoin('users').select('name'))).toHaveLength(2)
  })

  test('a join that keeps rows its ON refuses cannot be confined', () => {
    const right = q.selectFrom('messages').rightJoin('users', 'users.id', 'messages.user_id').select('name')
    expect(() => right.compile()).toThrow(TypeError)
    const full = q.selectFrom('messages').fullJoin('users', 'users.id', 'messages.user_id').select('name')
    expect(() => full.compile()).toThrow(TypeError)
  })

  test('subqueries in EXISTS, IN, FROM and among the columns', () => {
    const written = q
      .selectFrom('users')
      .select('name')
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('messages').select('messages.id').whereRef('messages.user_id', '=', 'users.id')),
      )
    expect(written.compile().parameters).toEqual([1, 1])
    const astray = scoped(2)
      .selectFrom('settings')
      .select('key')
      .where(({ exists, selectFrom }) => exists(selectFrom('users').select('id').where('id', '=', 1)))
    expect(rows(astray)).toEqual([])
    const ids = q
      .selectFrom('settings')
      .select((eb) => eb.selectFrom('users').select(eb.fn.countAll().as('n')).as('n'))
    expect(valuesOf(ids)).toEqual([2])
    const inner = q.selectFrom((eb) => eb.selectFrom('users').selectAll().as('them')).select('them.name')
    expect(valuesOf(inner)).toEqual(['Ann', 'Bob'])
    const inList = q
      .selectFrom('settings')
      .select('key')
      .where('key', 'in', q.selectFrom('tags').select('name'))
    expect(inList.compile().parameters).toEqual([1])
  })

  test('a union of queries', () => {
    const both = q.selectFrom('users').select('name').union(q.selectFrom('tags').select('name'))
    expect(valuesOf(both).sort()).toEqual(['Ann', 'Bob', 'ours'])
  })

  test('WITH: what it reads is confined, and its own name is no table', () => {
    const query = q
      .with('recent', (w) => w.selectFrom('messages').select(['id', 'user_id']).where('id', '>', 1))
      .selectFrom('recent')
      .innerJoin('users', 'users.id', 'recent.user_id')
      .select('users.name')
    expect(query.compile().sql).not.toContain('"recent"."realm_id"')
    expect(valuesOf(query)).toEqual(['Bob'])
    // Outside of the query that names it, the name means nothing.
    expect(
      q
        .selectFrom('recent' as never)
        .selectAll()
        .compile().sql,
    ).toContain('"recent"."realm_id"')
  })

  test('WITH RECURSIVE', () => {
    const chain = q
      .withRecursive('chain', (w) =>
        w
          .selectFrom('users')
          .select(['id', 'boss_id'])
          .where('id', '=', 1)
          .unionAll(
            w
              .selectFrom('users')
              .innerJoin('chain', 'chain.boss_id', 'users.id')
              .select(['users.id', 'users.boss_id']),
          ),
      )
      .selectFrom('chain')
      .select('id')
    expect(valuesOf(chain)).toEqual([1, 2])
  })

  test('a fragment may compute but not read', () => {
    expect(valuesOf(q.selectFrom('users').select(sql<number>`count(*)`.as('n')))).toEqual([2])
    expect(
      valuesOf(q.selectFrom(sql<{ value: number }>`json_each(${'[1,2]'})`.as('each')).select('each.value')),
    ).toEqual([1, 2])
    expect(
      valuesOf(q.selectFrom('users').select('id').where(sql<boolean>`name IS DISTINCT FROM ${'Ann'}`)),
    ).toEqual([2])
    const sneaky = [
      q.selectFrom('settings').select(sql`(SELECT count(*) FROM users)`.as('n')),
      q.selectFrom('settings').select('key').where(sql<boolean>`1 IN users`),
      q
        .selectFrom('settings')
        .select('key')
        .where(sql<boolean>`1 IN ${sql.table('users')}`),
      q.selectFrom(sql`users`.as('u')).selectAll(),
      q.selectFrom(sql.table('users').as('u')).selectAll(),
      q.selectFrom(sql.id('users').as('u')).selectAll(),
      sql`DELETE FROM users`,
    ]
    for (const query of sneaky) expect(() => query.compile(q)).toThrow(TypeError)
  })

  test('after a refused query the next is confined as ever', () => {
    const refused = q
      .with('users', (w) => w.selectFrom('settings').selectAll())
      .selectFrom(sql`nonsense`.as('u'))
      .selectAll()
    expect(() => refused.compile()).toThrow(TypeError)
    expect(valuesOf(q.selectFrom('users').select('name'))).toEqual(['Ann', 'Bob'])
  })
})

describe('what is written', () => {
  const write = (query: Query<unknown>) => {
    const { sql, parameters } = query.compile()
    return db.run(sql, parameters as SqlValue[]).changes
  }

  test('an update changes rows of the realm only', () => {
    expect(write(q.updateTable('users').set({ name: 'X' }))).toBe(2)
    expect(write(q.updateTable('users').set({ name: 'Y' }).where('id', '=', 3))).toBe(0)
    const joined = q
      .updateTable('messages as m')
      .from('users as u')
      .set({ body: 'Z' })
      .whereRef('u.id', '=', 'm.user_id')
    expect(write(joined)).toBe(2)
    expect(everything('users')).toMatchObject([
      { name: 'X' },
      { name: 'X' },
      { name: 'Cleo' },
      { name: 'Dan' },
    ])
  })

  test('an update cannot move a row to another realm', () => {
    expect(() => q.updateTable('users').set({ realm_id: 2 }).compile()).toThrow(TypeError)
    expect(() =>
      q
        .updateTable('users')
        .set((eb) => ({ realm_id: eb.ref('id') }))
        .compile(),
    ).toThrow(TypeError)
    expect(write(q.updateTable('users').set({ realm_id: 1 }))).toBe(2)
  })

  test('a delete removes rows of the realm only', () => {
    expect(write(q.deleteFrom('users').where('id', '>', 1))).toBe(1)
    expect(write(q.deleteFrom('messages'))).toBe(2)
    expect(everything('users')).toMatchObject([{ id: 1 }, { id: 3 }, { id: 4 }])
  })

  test('WITH cannot give the name of the table that is changed', () => {
    const query = q.with('users', (w) => w.selectFrom('settings').select('key')).deleteFrom('users')
    expect(query.compile().sql).toContain('where "users"."realm_id" = ?')
  })

  test('an inserted row gets the realm', () => {
    write(q.insertInto('tags').values({ name: 'new' }))
    write(q.insertInto('tags').values([{ name: 'a' }, { name: 'b', uses: 2 }, { name: 'c', realm_id: 1 }]))
    write(q.insertInto('tags').values({ name: sql`upper('d')`, realm_id: 1 }))
    expect(everything('tags')).toEqual([
      { name: 'D', realm_id: 1, uses: 1 },
      { name: 'a', realm_id: 1, uses: null },
      { name: 'b', realm_id: 1, uses: 2 },
      { name: 'c', realm_id: 1, uses: null },
      { name: 'new', realm_id: 1, uses: 1 },
      { name: 'ours', realm_id: 1, uses: 1 },
      { name: 'theirs', realm_id: 2, uses: 1 },
    ])
  })

  test('a row of another realm is not inserted', () => {
    expect(() => q.insertInto('tags').values({ name: 'x', realm_id: 2 }).compile()).toThrow(TypeError)
    expect(() =>
      q
        .insertInto('tags')
        .values([{ name: 'x' }, { name: 'y', realm_id: 2 }])
        .compile(),
    ).toThrow(TypeError)
    expect(() => q.insertInto('tags').values({ name: 'x', realm_id: sql`2` }).compile()).toThrow(TypeError)
  })

  test('a row of defaults', () => {
    expect(q.insertInto('messages').defaultValues().compile()).toMatchObject({
      sql: 'insert into "messages" ("realm_id") values (?)',
      parameters: [1],
    })
  })

  test('rows from a query', () => {
    const copy = q
      .insertInto('tags')
      .columns(['name'])
      .expression(q.selectFrom('users').select('name').union(q.selectFrom('messages').select('body as name')))
    expect(write(copy)).toBe(4)
    expect(everything('tags').filter((tag) => (tag as { realm_id: number }).realm_id === 1)).toHaveLength(5)
    const named = q
      .insertInto('tags')
      .columns(['name', 'realm_id'])
      .expression(q.selectFrom('users').select(['name', 'id']))
    expect(() => named.compile()).toThrow(TypeError)
  })

  test("an upsert changes the realm's row, and never another realm's", () => {
    const count = (name: string) =>
      q
        .insertInto('tags')
        .values({ name })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((eb) => ({ uses: eb('tags.uses', '+', 1) })),
        )
    expect(write(count('ours'))).toBe(1)
    write(count('theirs'))
    expect(everything('tags')).toEqual([
      { name: 'ours', realm_id: 1, uses: 2 },
      { name: 'theirs', realm_id: 2, uses: 1 },
    ])
    const move = q
      .insertInto('tags')
      .values({ name: 'ours' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ realm_id: 2 }))
    expect(() => move.compile()).toThrow(TypeError)
  })

  test("REPLACE, which could remove another realm's row, is refused", () => {
    expect(() => q.replaceInto('tags').values({ name: 'theirs' }).compile()).toThrow(TypeError)
    expect(() => q.insertInto('tags').orReplace().values({ name: 'theirs' }).compile()).toThrow(TypeError)
  })
})
