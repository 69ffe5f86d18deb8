/** `search`: words and phrases in the content or topic of a message. */
import type { Reader } from '../../../db/transaction.ts'
import { hasPhrases, matchExpression, type Phrase, phrasesOf, type Scope } from '../search/phrases.ts'
import { meantTopic, topicKey } from '../topics.ts'
import { type Asking, condition, type Fits, type Operator } from './condition.ts'
import { invalid, textOf, userOf } from './operands.ts'
import type { Range } from './find.ts'
import type { Operand, Term } from './terms.ts'

const wordsOf = (asking: Asking, operand: Operand): Phrase[] => {
  const text = textOf('search', operand)
  return text === '' ? invalid('search', operand) : phrasesOf(asking.db, text)
}

export const searchOperators: Record<string, Operator> = {
  // Nothing has no words.
  search: (asking, operand) => {
    const phrases = wordsOf(asking, operand)
    return phrases.length > 0 ? hasPhrases(phrases) : { ...condition('0'), listed: nothing }
  },
}

const nothing = { sql: 'SELECT 0 AS id WHERE 0', parameters: [] }

/** Fewer hits than these are few. */
const HITS = 250
/**
 * With a hit in every so many ids the words are common: the index would go through all the hits that are newer than
 * where it is asked, a fifth of a second for a million.
 */
const COMMON = 10

/** What the narrow searches for. */
export const phrasesWanted = (asking: Asking, terms: readonly Term[]): Phrase[] =>
  terms
    .filter(({ operator, negated }) => operator === 'search' && !negated)
    .flatMap(({ operand }) => wordsOf(asking, operand))

/** How the index finds phrases, confined by what else the narrow says, and all that have them where these are few. */
export function searchOf(
  asking: Asking,
  terms: readonly Term[],
  phrases: readonly Phrase[],
  conversationId: number | undefined,
): Pick<Fits, 'search' | 'few'> {
  if (phrases.length === 0) return {}
  asking.ctx.server.searchIndex.catchUp()
  const realmId = realmAmongOthers(asking)
  const anywhere = matchExpression(realmId, phrases, {})
  const newest = hits(asking.db, anywhere, { order: 'DESC', limit: HITS })
  if (newest.length < HITS) return { search: anywhere, few: newest.reverse() }
  if ((newest[0] ?? 0) - (newest.at(-1) ?? 0) < HITS * COMMON) return {}
  const search = matchExpression(realmId, phrases, scopeOf(asking, terms, conversationId))
  const here = search === anywhere ? newest : hits(asking.db, search, { order: 'DESC', limit: HITS })
  return { search, ...(here.length < HITS ? { few: here.reverse() } : {}) }
}

function scopeOf(asking: Asking, terms: readonly Term[], conversationId: number | undefined): Scope {
  const operandOf = (name: string) =>
    terms.find(({ operator, negated }) => operator === name && !negated)?.operand
  const [sender, topic] = [operandOf('sender'), operandOf('topic')]
  return {
    conversationId,
    senderId: sender === undefined || Array.isArray(sender) ? undefined : userOf(asking, sender).id,
    topic:
      typeof topic === 'string'
        ? phrasesOf(asking.db, `"${topicKey(meantTopic(topic.trim())).replaceAll('"', ' ')}"`)[0]
        : undefined,
  }
}

/** Ids of messages that the index has for a query. */
export function hits(
  db: Reader,
  match: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER, order, limit }: Range & { limit: number },
): number[] {
  return db
    .sql<{ id: number }>(
      `SELECT docid AS id FROM message_search
        WHERE message_search MATCH ? AND docid >= ? AND docid <= ? AND :realm > 0 ORDER BY docid ${order} LIMIT ?`,
      [match, from, to, limit],
    )
    .map((row) => row.id)
}

const realmAmongOthers = ({ ctx, db }: Asking): number | null => {
  const count = ctx.server.database.first<{ count: number }>('SELECT count(*) AS count FROM realms')?.count
  return count === 1 ? null : db.realmId
}
