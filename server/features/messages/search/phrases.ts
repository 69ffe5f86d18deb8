/** What people type into a search box, as the index understands it. */
import type { SqlValue } from '../../../db/database.ts'
import type { Reader } from '../../../db/transaction.ts'

/** Words that follow each other; one word most of the time. */
export type Phrase = readonly string[]

/** More than these narrow nothing down, and cost. */
const MAX_PHRASES = 50
const MAX_WORDS = 20

/** Begins the words of `messages.search_scope`; nobody's word can, because it is taken out of them. */
const SCOPE = '\uE000'

/**
 * What is between quotation marks is a phrase, everything else words; each must be found. The index's own tokenizer
 * takes them apart, so that case, accents and punctuation cannot make a difference between the two.
 */
export function phrasesOf(db: Reader, typed: string): Phrase[] {
  const pieces = typed
    .replaceAll(/[\p{Cc}\uE000]/gu, ' ')
    .split('"')
    .flatMap((piece, index) => (index % 2 === 1 ? [piece] : piece.split(/\s+/)))
    .filter((piece) => piece !== '')
  return tokenize(db, pieces.slice(0, MAX_PHRASES))
    .map((words) => words.slice(0, MAX_WORDS).map(({ word }) => word))
    .filter((words) => words.length > 0)
}

export interface Token {
  word: string
  /** Where it is in the text, in bytes of UTF-8; the end is that of its last byte plus one. */
  start: number
  end: number
  /** Counted in words. */
  position: number
}

/** The words of each text. */
export function tokenize(db: Reader, texts: readonly string[]): Token[][] {
  const tokens: Token[][] = texts.map(() => [])
  const rows = db.sql<Token & { text: number }>(
    // Words belong to no realm.
    `SELECT t.key AS text, w.token AS word, w.start, w."end", w.position
       FROM json_each(?) t JOIN search_words w ON w.input = t.value WHERE :realm > 0`,
    [JSON.stringify(texts)],
  )
  for (const { text, ...token } of rows) tokens[text]?.push(token)
  return tokens
}

/** Stands between topic and content: no phrase has it, so that none is found across both. */
const BORDER = ` ${SCOPE} `

/** SQL that is true of a message `m` in which each of these phrases is. Its words are taken out of it, as the index does. */
export function hasPhrases(phrases: readonly Phrase[]): { sql: string; parameters: SqlValue[] } {
  const texts = phrases.map((words) => ` ${words.join(' ')} `)
  const eachIn = (words: string) => texts.map(() => `instr(${words}, ?) > 0`).join(' AND ')
  // Words that stand between spaces are seen at a tenth of the price.
  return {
    sql: `((${eachIn('lower(m.content)')}) OR (SELECT ${eachIn('words')} FROM (
      SELECT ' ' || group_concat(w.token, ' ') || ' ' AS words FROM search_words w
       WHERE w.input = m.topic_key || ? || m.content)))`,
    parameters: [...texts, ...texts, BORDER],
  }
}

/** What a search is confined to by the index itself, so that it need not look at every message with a common word. */
export interface Scope {
  conversationId?: number | undefined
  senderId?: number | undefined
  /** Words of the topic's name. */
  topic?: Phrase | undefined
}

/**
 * Phrases as SQLite's full-text query. Every word of it was made by the tokenizer, so that none is an operator. What
 * else the query asks confines it to the realm anyhow; a word that every message of the realm has is only there to
 * keep a search away from those of other realms, and costs a walk through all of them.
 * @param realmId null: there is no other realm
 */
export function matchExpression(
  realmId: number | null,
  phrases: readonly Phrase[],
  { conversationId, senderId, topic = [] }: Scope,
): string {
  const isConfined = realmId === null || conversationId !== undefined || senderId !== undefined
  return [
    ...(isConfined ? [] : [`"${SCOPE}r${realmId}"`]),
    ...(conversationId === undefined ? [] : [`"${SCOPE}c${conversationId}"`]),
    ...(senderId === undefined ? [] : [`"${SCOPE}s${senderId}"`]),
    // A column can be said of a single word only. In small letters, none is an operator.
    ...topic.map((word) => `topic_key:${word}`),
    ...phrases.map((words) => `"${words.join(' ')}"`),
  ].join(' ')
}
