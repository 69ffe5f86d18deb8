import { Kept } from '../../db/kept.ts'
import type { Reader, Tx } from '../../db/transaction.ts'

/** The words of everybody in a realm, by the first word or sign of each: few places in a text need a closer look. */
type Words = ReadonlyMap<string, readonly { key: string; userIds: number[] }[]>

/** A word as it is compared. */
export const wordKey = (word: string): string => word.normalize('NFC').toLowerCase()

/** A run of letters and digits, or one other character. */
const piece = /[\p{L}\p{M}\p{N}_]+|\S/gu
const isLetter = (character: string): boolean => /^[\p{L}\p{M}\p{N}_]$/u.test(character)

const words = new Kept<Words>((db) => {
  const rows = db.sql<{ word_key: string; ids: string }>(
    `SELECT w.word_key, json_group_array(w.user_id) AS ids FROM alert_words w WHERE w.realm_id = :realm GROUP BY w.word_key`,
  )
  const byStart = new Map<string, { key: string; userIds: number[] }[]>()
  for (const { word_key, ids } of rows) {
    const [start = ''] = word_key.match(piece) ?? []
    const entry = { key: word_key, userIds: JSON.parse(ids) as number[] }
    const known = byStart.get(start)
    if (known) known.push(entry)
    else byStart.set(start, [entry])
  }
  return byStart
})

/** Ids of the users who have an alert word that stands in a text as a word of its own. */
export function alertedUserIds(db: Reader, content: string): Set<number> {
  const alerted = new Set<number>()
  const byStart = words.of(db)
  if (byStart.size === 0) return alerted
  const text = wordKey(content)
  for (const { 0: start, index } of text.matchAll(piece)) {
    for (const { key, userIds } of byStart.get(start) ?? []) {
      if (text.startsWith(key, index) && endsWord(text, key, index + key.length)) {
        for (const id of userIds) alerted.add(id)
      }
    }
  }
  return alerted
}

const endsWord = (text: string, key: string, end: number): boolean =>
  !isLetter([...key].at(-1) ?? '') || !isLetter(String.fromCodePoint(text.codePointAt(end) ?? 32))

/** A user's words, as they were written. */
export const alertWordsOf = (db: Reader, userId: number): string[] =>
  db
    .all(db.q.selectFrom('alert_words').select('word').where('user_id', '=', userId).orderBy('word_key'))
    .map(({ word }) => word)

/** @returns whether it was not there before */
export function insertAlertWord(tx: Tx, userId: number, word: string): boolean {
  const inserted = tx.runSql(
    `INSERT INTO alert_words (realm_id, user_id, word, word_key) VALUES (:realm, ?, ?, ?)
     ON CONFLICT (user_id, word_key) DO NOTHING`,
    [userId, word, wordKey(word)],
  )
  words.forget(tx)
  return inserted > 0
}

/** @returns whether it was there */
export function deleteAlertWord(tx: Tx, userId: number, word: string): boolean {
  const deleted = tx.run(
    tx.q.deleteFrom('alert_words').where('user_id', '=', userId).where('word_key', '=', wordKey(word)),
  )
  words.forget(tx)
  return deleted > 0
}
