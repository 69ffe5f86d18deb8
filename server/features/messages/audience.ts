/** Who hears of what happens to messages that are there already. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { idsWhoMayRead } from '../channels/audience.ts'
import { type Channel, subscriberIds } from '../channels/store.ts'
import { hasOpenHistory } from './access.ts'
import { RECEIVED_IN } from './flags.ts'

/** What of some messages each user may read. */
export interface Reach {
  /** Active users whose clients may show one of them: who received it, or is subscribed and may have fetched it. */
  userIds: ReadonlySet<number>
  /** Which of them a user may read, ascending; users who may read the same get the same array. */
  idsFor: (userId: number) => readonly number[]
}

const none: readonly number[] = []

/**
 * Who may read messages where they stand now.
 * @param channel theirs; null for direct messages
 * @param ids ascending, all of one conversation
 */
export function reachOf(ctx: RealmContext, tx: Tx, channel: Channel | null, ids: readonly number[]): Reach {
  const held = heldByUser(tx, ids)
  if (!channel) return { userIds: new Set(held.keys()), idsFor: (userId) => held.get(userId) ?? none }
  const mayRead = idsWhoMayRead(ctx, tx, channel)
  const received = [...held.keys()]
  if (!hasOpenHistory(channel)) {
    return {
      userIds: new Set(received.filter((id) => mayRead.has(id))),
      idsFor: (userId) => (mayRead.has(userId) ? (held.get(userId) ?? none) : none),
    }
  }
  const concerned = [...received, ...subscriberIds(tx, channel.id)]
  return {
    userIds: new Set(concerned.filter((id) => mayRead.has(id))),
    idsFor: (userId) => (mayRead.has(userId) ? ids : none),
  }
}

/** Which of the messages each active user received, or was left when they were moved. */
function heldByUser(tx: Tx, ids: readonly number[]): Map<number, readonly number[]> {
  const rows = tx.sql<{ id: number; received_in: number; readers_id: number | null }>(
    `SELECT m.id, ${RECEIVED_IN} AS received_in, m.readers_id FROM messages m
      WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
    [JSON.stringify(ids)],
  )
  const parts = groupBy(rows, ({ received_in, readers_id }) => `${received_in} ${readers_id}`)
  /** By user, the stretches of messages: a part's key with the first and last index. */
  const stretches = new Map<number, Set<string>>()
  const add = (userId: number, key: string, from: number, to: number) => {
    if (from >= to) return
    const known = stretches.get(userId)
    if (known) known.add(`${key} ${from} ${to}`)
    else stretches.set(userId, new Set([`${key} ${from} ${to}`]))
  }
  for (const [key, part] of parts) {
    const { received_in, readers_id } = part[0] as (typeof rows)[number]
    const partIds = part.map(({ id }) => id)
    const readers = readers_id === null ? null : new Set(readerIds(tx, readers_id))
    for (const span of spansOver(tx, received_in, partIds)) {
      if (readers && !readers.has(span.user_id)) continue
      const end = span.to_id === null ? partIds.length : countUpTo(partIds, span.to_id)
      add(span.user_id, key, countUpTo(partIds, span.from_id), end)
    }
    for (const userId of readers ?? []) add(userId, key, 0, partIds.length)
  }
  const lists = new Map<string, readonly number[]>()
  const listOf = (keys: ReadonlySet<string>): readonly number[] => {
    const name = [...keys].sort().join()
    let list = lists.get(name)
    if (!list) {
      const among = new Set(
        [...keys].flatMap((stretch) => {
          const [received_in, readers_id, from, to] = stretch.split(' ')
          const part = parts.get(`${received_in} ${readers_id}`) ?? []
          return part.slice(Number(from), Number(to)).map(({ id }) => id)
        }),
      )
      list = among.size === ids.length ? ids : ids.filter((id) => among.has(id))
      lists.set(name, list)
    }
    return list
  }
  return new Map([...stretches].map(([userId, keys]) => [userId, listOf(keys)]))
}

/** How many of the ids, which are ascending, are at most `limit`. */
function countUpTo(ids: readonly number[], limit: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The items by key, each group in their order. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const known = groups.get(key)
    if (known) known.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const spansOver = (tx: Tx, conversationId: number, ids: readonly number[]) =>
  tx.sql<{ user_id: number; from_id: number; to_id: number | null }>(
    `SELECT s.user_id, s.from_id, s.to_id FROM spans s JOIN users u ON u.id = s.user_id AND u.is_active = 1
      WHERE s.realm_id = :realm AND s.conversation_id = ? AND s.from_id < ? AND (s.to_id IS NULL OR s.to_id >= ?)`,
    [conversationId, ids.at(-1) ?? 0, ids[0] ?? 0],
  )

const readerIds = (tx: Tx, listId: number): number[] =>
  tx
    .sql<{ user_id: number }>(
      `SELECT l.user_id FROM readers l JOIN users u ON u.id = l.user_id AND u.is_active = 1
        WHERE l.realm_id = :realm AND l.list_id = ?`,
      [listId],
    )
    .map((row) => row.user_id)
