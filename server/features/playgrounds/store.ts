import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/transaction.ts'

export type Playground = Pick<Row<'playgrounds'>, 'id' | 'name' | 'pygments_language' | 'url_template'>

export const playgroundsOf = (db: Reader): Playground[] =>
  db.all(
    db.q.selectFrom('playgrounds').select(['id', 'name', 'pygments_language', 'url_template']).orderBy('id'),
  )
