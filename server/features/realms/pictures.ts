/** The organization's icon and logos: uploaded, or drawn by the server. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestContext, Server } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { fittedPicture, squarePictures } from '../../services/images.ts'
import { writeIntoPlace } from '../../services/place-file.ts'
import { activeUserIds } from '../users/store.ts'

export type PictureKind = Row<'realm_pictures'>['kind']

/** As in the register response without `realm_`. */
export interface RealmPictures {
  icon_source: 'G' | 'U'
  icon_url: string
  logo_source: 'D' | 'U'
  logo_url: string
  night_logo_source: 'D' | 'U'
  night_logo_url: string
}

/** Side of the icon in pixels. */
const ICON_SIZE = 500
/** What a logo fits in, in pixels: a bar, as it is shown at the head of a page, twice as large. */
const LOGO_SIZE = { width: 800, height: 200 }

export const realmPictureFile = ({ folder }: Server, realmId: number, fileName: string): string =>
  join(folder.uploads, String(realmId), 'realm', fileName)

export const realmPicture = (db: Reader, kind: PictureKind): Row<'realm_pictures'> | undefined =>
  db.first(db.q.selectFrom('realm_pictures').selectAll().where('kind', '=', kind))

/** The source and the address of each picture. An address changes with its picture. */
export const presentPictures = (db: Reader, realmUrl: string): RealmPictures =>
  Object.assign(
    {},
    ...(['icon', 'logo', 'night_logo'] as const).map((kind) => presentPicture(db, kind, realmUrl)),
  ) as RealmPictures

function presentPicture(db: Reader, kind: PictureKind, realmUrl: string): Partial<RealmPictures> {
  const { file_name = null, version = 1 } = realmPicture(db, kind) ?? {}
  const drawn = kind === 'icon' ? 'G' : 'D'
  return {
    [`${kind}_source`]: file_name === null ? drawn : 'U',
    [`${kind}_url`]: `${realmUrl}/realm/${kind}?version=${version}`,
  }
}

/** @throws BadRequestError when it is no picture */
export async function uploadRealmPicture(
  ctx: RequestContext,
  kind: PictureKind,
  picture: string,
): Promise<void> {
  const bytes =
    kind === 'icon'
      ? (await squarePictures(picture, [ICON_SIZE]))[0]
      : await fittedPicture(picture, LOGO_SIZE.width, LOGO_SIZE.height)
  const fileName = `${randomBytes(12).toString('hex')}.png`
  const file = realmPictureFile(ctx.server, ctx.realm.id, fileName)
  try {
    await writeIntoPlace(file, bytes ?? Buffer.alloc(0))
    ctx.transact((tx) => setRealmPicture(ctx, tx, kind, fileName))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/**
 * Changes a picture, or takes it away, and tells everybody.
 * @param file_name null: the server draws one
 */
export function setRealmPicture(
  ctx: RequestContext,
  tx: Tx,
  kind: PictureKind,
  file_name: string | null,
): void {
  const known = realmPicture(tx, kind)
  if (known) {
    const version = known.version + 1
    tx.run(tx.q.updateTable('realm_pictures').set({ file_name, version }).where('id', '=', known.id))
  } else tx.insert('realm_pictures', { kind, file_name, version: 2 })
  const data = presentPicture(tx, kind, ctx.realmUrl)
  tx.emit({ type: 'realm', op: 'update_dict', property: kind, data }, { to: activeUserIds(tx) })
}
