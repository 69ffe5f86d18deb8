import { Kept } from '../../db/kept.ts'
import type { Row } from '../../db/tables.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { linksInTopic } from '../../services/markdown.ts'
import { compileLinkifiers, type LinkifierSet } from '../../services/markdown/linkifiers.ts'

export type LinkifierObject = Pick<Row<'linkifiers'>, 'id' | 'pattern' | 'url_template'>

interface Linkifiers {
  rows: LinkifierObject[]
  set: LinkifierSet
  /** Links of the topics that were asked for. */
  topicLinks: Map<string, TopicLink[]>
}

export interface TopicLink {
  text: string
  url: string
}

const linkifiers = new Kept<Linkifiers>((db) => {
  const rows = db.all(
    db.q
      .selectFrom('linkifiers')
      .select(['id', 'pattern', 'url_template'])
      .orderBy('sort_order')
      .orderBy('id'),
  )
  return { rows, set: compileLinkifiers(rows), topicLinks: new Map() }
})

/** In the order in which they apply. */
export const linkifiersOf = (db: Reader): LinkifierObject[] => linkifiers.of(db).rows

/** {@link linkifiersOf}, ready to be used. */
export const compiledLinkifiers = (db: Reader): LinkifierSet => linkifiers.of(db).set

/** The links in the name of a topic. */
export function topicLinks(db: Reader, topic: string): TopicLink[] {
  const { set, topicLinks: known } = linkifiers.of(db)
  let links = known.get(topic)
  if (!links) {
    links = linksInTopic(topic, set)
    if (known.size > 10_000) known.clear()
    known.set(topic, links)
  }
  return links
}

export function insertLinkifier(tx: Tx, fields: Omit<LinkifierObject, 'id'>): number {
  const id = tx.insert('linkifiers', { ...fields, sort_order: linkifiersOf(tx).length })
  linkifiers.forget(tx)
  return id
}

export function updateLinkifier(tx: Tx, id: number, changes: Partial<Row<'linkifiers'>>): void {
  tx.run(tx.q.updateTable('linkifiers').set(changes).where('id', '=', id))
  linkifiers.forget(tx)
}

export function deleteLinkifierRow(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('linkifiers').where('id', '=', id))
  linkifiers.forget(tx)
}
