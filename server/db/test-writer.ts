// Counts in a database, and on stdout as far as the count is durable, until it is killed: see database.test.ts.
import { openDatabase } from './database.ts'

const db = await openDatabase(process.argv[2] as string)
db.exec('CREATE TABLE IF NOT EXISTS acks (n INTEGER PRIMARY KEY)')
for (;;) {
  for (let i = 0; i < 3; i++) {
    db.transact(() => db.run('INSERT INTO acks SELECT coalesce(max(n), 0) + 1 FROM acks'))
  }
  const last = db.first<{ n: number }>('SELECT max(n) AS n FROM acks')?.n
  await db.durable()
  process.stdout.write(`${last}\n`)
}
