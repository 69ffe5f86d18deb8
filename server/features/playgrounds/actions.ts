/** What changes about code playgrounds, and who hears of it: everybody. */
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { expandTemplate, templateVariables } from '../../services/markdown/linkifiers.ts'
import { activeUserIds } from '../users/store.ts'
import { type Playground, playgroundsOf } from './store.ts'

/** @throws BadRequestError */
export function addPlayground(tx: Tx, fields: Omit<Playground, 'id'>): number {
  const { name, pygments_language, url_template } = fields
  const variables = templateVariables(url_template)
  if (!variables || !/^https?:\/\//i.test(expandTemplate(url_template, { code: 'x' }))) {
    throw new BadRequestError('Invalid URL template.')
  }
  if (!variables.includes('code')) {
    throw new BadRequestError('Missing the required variable "code" in the URL template')
  }
  if (variables.some((variable) => variable !== 'code')) {
    throw new BadRequestError('"code" should be the only variable present in the URL template')
  }
  if (playgroundsOf(tx).some((one) => one.name === name && one.pygments_language === pygments_language)) {
    throw new BadRequestError('A playground of this name already exists for this language.')
  }
  const id = tx.insert('playgrounds', fields)
  announce(tx)
  return id
}

/** @throws BadRequestError */
export function removePlayground(tx: Tx, id: number): void {
  const removed = tx.run(tx.q.deleteFrom('playgrounds').where('id', '=', id))
  if (removed === 0) throw new BadRequestError('Invalid playground')
  announce(tx)
}

const announce = (tx: Tx): void =>
  tx.emit({ type: 'realm_playgrounds', realm_playgrounds: playgroundsOf(tx) }, { to: activeUserIds(tx) })
