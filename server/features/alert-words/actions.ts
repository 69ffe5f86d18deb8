/** What changes about a user's alert words; only that user's clients hear of it. */
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { alertWordsOf, deleteAlertWord, insertAlertWord } from './store.ts'

const MAX_LENGTH = 100
const MAX_WORDS = 1000

/** @returns all words of the user. @throws BadRequestError when there are too many, or one is too long */
export function addAlertWords(tx: Tx, userId: number, words: readonly string[]): string[] {
  const wanted = words.map((word) => word.trim()).filter((word) => word !== '')
  if (wanted.some((word) => [...word].length > MAX_LENGTH)) {
    throw new BadRequestError(`alert_words is too long (limit: ${MAX_LENGTH} characters)`)
  }
  const added = wanted.filter((word) => insertAlertWord(tx, userId, word))
  const alert_words = alertWordsOf(tx, userId)
  if (alert_words.length > MAX_WORDS) throw new BadRequestError(`Too many alert words (limit: ${MAX_WORDS})`)
  if (added.length > 0) tx.emit({ type: 'alert_words', alert_words }, { to: [userId] })
  return alert_words
}

/** @returns all words that are left */
export function removeAlertWords(tx: Tx, userId: number, words: readonly string[]): string[] {
  const removed = words.filter((word) => deleteAlertWord(tx, userId, word.trim()))
  const alert_words = alertWordsOf(tx, userId)
  if (removed.length > 0) tx.emit({ type: 'alert_words', alert_words }, { to: [userId] })
  return alert_words
}
