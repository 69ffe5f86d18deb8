/** `search`: words and phrases in the content or topic of a message. */
import { matchExpression, type Phrase, phrasesOf, type Scope } from '../search/phrases.ts'
import { meantTopic, topicKey } from '../topics.ts'
import { type Asking, type Condition, condition, type Fits, type Operator } from './condition.ts'
import { invalid, textOf, userOf } from './operands.ts'
import type { Operand, Term } from './terms.ts'

const wordsOf = (asking: Asking, operand: Operand): Phrase[] => {
  const text = textOf('search', operand)
  return text === '' ? invalid('search', operand) : phrasesOf(asking.db, text)
}

export const searchOperators: Record<string, Operator> = {
  // Those with the words are found by the index ({@link searchOf}). Nothing has no words.
  search: (asking, operand) => condition(wordsOf(asking, operand).length > 0 ? '1' : '0'),
}

/** What the narrow searches for, confined by what else it says. */
export function searchOf(
  asking: Asking,
  terms: readonly Term[],
  conversationId: number | undefined,
): Fits['search'] {
  const wanted = terms.filter(({ negated }) => !negated)
  const operandOf = (name: string) => wanted.find(({ operator }) => operator === name)?.operand
  const phrases = wanted
    .filter(({ operator }) => operator === 'search')
    .flatMap(({ operand }) => wordsOf(asking, operand))
  if (phrases.length === 0) return undefined
  asking.ctx.server.searchIndex.catchUp()
  const [sender, topic] = [operandOf('sender'), operandOf('topic')]
  const scope: Scope = {
    conversationId,
    senderId: sender === undefined || Array.isArray(sender) ? undefined : userOf(asking, sender).id,
    topic:
      typeof topic === 'string'
        ? phrasesOf(asking.db, `"${topicKey(meantTopic(topic.trim())).replaceAll('"', ' ')}"`)[0]
        : undefined,
  }
  return { match: matchExpression(realmAmongOthers(asking), phrases, scope), phrases }
}

const realmAmongOthers = ({ ctx, db }: Asking): number | null => {
  const count = ctx.server.database.first<{ count: number }>('SELECT count(*) AS count FROM realms')?.count
  return count === 1 ? null : db.realmId
}

/** Messages in which these words are not all found. */
export function withoutWords(asking: Asking, operand: Operand): Condition {
  const phrases = wordsOf(asking, operand)
  if (phrases.length === 0) return condition('1')
  asking.ctx.server.searchIndex.catchUp()
  return condition(
    'm.id NOT IN (SELECT docid FROM message_search WHERE message_search MATCH ?)',
    matchExpression(realmAmongOthers(asking), phrases, {}),
  )
}
