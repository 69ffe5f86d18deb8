import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { type Migration, migrate, NewerSchemaError } from './migrate.ts'

let folder: string
let file: string
let db: Database

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-migrate-'))
  file = path.join(folder, 'test.db')
  db = await openDatabase(file)
})

afterEach(async () => {
  await db.close()
  fs.rmSync(folder, { recursive: true })
})

const people: Migration = {
  id: 1,
  name: 'people',
  up: (db) =>
    db.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ann')`),
}
const pets: Migration = {
  id: 2,
  name: 'pets',
  up: (db) => db.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES people (id))'),
}
const failing: Migration = {
  id: 3,
  name: 'failing',
  up(db) {
    db.exec('CREATE TABLE half (id INTEGER PRIMARY KEY)')
    throw new Error('no further')
  },
}

const run = (...migrations: Migration[]) => migrate(db, migrations, { file, version: '1.2.3' })
const tables = () =>
  db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map((table) => table.name)
const schema = () => db.first<{ user_version: number }>('PRAGMA user_version')?.user_version

test('each runs once and in order', async () => {
  expect(await run(people)).toEqual([1])
  expect(await run(people, pets)).toEqual([2])
  expect(await run(people, pets)).toEqual([])
  expect(db.all('SELECT id, name FROM schema_migrations ORDER BY id')).toEqual([
    { id: 1, name: 'people' },
    { id: 2, name: 'pets' },
  ])
  expect(schema()).toBe(2)
  expect(db.durableSequence).toBe(db.sequence)
})

test('one that fails leaves nothing of itself, and what came before it', async () => {
  await expect(run(people, pets, failing)).rejects.toThrow('no further')
  expect(tables()).toEqual(['people', 'pets', 'schema_migrations'])
  expect(schema()).toBe(2)
  expect(db.first('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
})

test('ids without a gap are asked for', async () => {
  await expect(run(people, failing)).rejects.toThrow(TypeError)
  await expect(run(pets)).rejects.toThrow(TypeError)
  expect(tables()).toEqual([])
})

test('an empty database is not copied; one with data is, before anything changes in it', async () => {
  const backups = path.join(folder, 'backups')
  await run(people)
  expect(fs.existsSync(backups)).toBe(false)
  await expect(run(people, pets, failing)).rejects.toThrow()
  expect(fs.readdirSync(backups)).toEqual(['before-migration-1-to-3.db'])
  const copy = await openDatabase(path.join(backups, 'before-migration-1-to-3.db'))
  expect(copy.first('SELECT name FROM people')).toEqual({ name: 'Ann' })
  expect(copy.first('PRAGMA user_version')).toEqual({ user_version: 1 })
  expect(() => copy.all('SELECT * FROM pets')).toThrow('no such table')
  await copy.close()
})

test('a table that others refer to can be rebuilt', async () => {
  await run(people, pets)
  db.run('INSERT INTO pets VALUES (1, 1)')
  const rebuild: Migration = {
    id: 3,
    name: 'rebuild',
    up: (db) =>
      db.exec(`
        CREATE TABLE people_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO people_new SELECT id, name FROM people;
        DROP TABLE people;
        ALTER TABLE people_new RENAME TO people`),
  }
  await run(people, pets, rebuild)
  expect(db.all('SELECT * FROM pets')).toEqual([{ id: 1, owner_id: 1 }])
  expect(db.check(true)).toEqual([])
})

test('rows left without those they refer to stop a migration', async () => {
  await run(people, pets)
  db.run('INSERT INTO pets VALUES (1, 1)')
  const careless: Migration = { id: 3, name: 'careless', up: (db) => db.exec('DELETE FROM people') }
  await expect(run(people, pets, careless)).rejects.toThrow('leaves rows in pets without their people')
  expect(db.all('SELECT * FROM people')).toHaveLength(1)
})

test('a newer schema is refused and not one byte of the folder changed', async () => {
  await run(people, pets)
  await db.close()
  const before = fs.readFileSync(file)
  db = await openDatabase(file)
  await expect(run(people)).rejects.toThrow(NewerSchemaError)
  await expect(run(people)).rejects.toThrow(/schema 2.*1\.2\.3/)
  db.abandon()
  expect(fs.readFileSync(file).equals(before)).toBe(true)
  expect(fs.readdirSync(folder)).toEqual(['test.db'])
})
