import { expect, test } from 'vitest'
import { RealmContext } from '../context.ts'
import { boot } from '../test/boot.ts'
import { Kept } from './kept.ts'
import type { Reader } from './transaction.ts'

test('what is made of a write goes when the write is taken back, also where nothing was kept before', async () => {
  const server = await boot()
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  const count = (db: Reader) => db.all(db.q.selectFrom('conversations').select('id')).length
  const kept = new Kept((db) => ({ count: count(db) }))
  const before = count(ctx.db)
  const writes = () =>
    ctx.transact((tx) => {
      tx.insert('conversations', { channel_id: null, dm_key: '1,2,3' })
      kept.amend(tx, (value) => (value.count += 1))
      expect(kept.of(tx).count).toBe(before + 1)
      throw new Error('taken back')
    })
  expect(writes).toThrow('taken back')
  expect(kept.of(ctx.db).count).toBe(before)
  expect(writes).toThrow('taken back')
  expect(kept.of(ctx.db).count).toBe(before)
})
