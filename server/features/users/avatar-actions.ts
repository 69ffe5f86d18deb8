/** The picture that a user uploads of themselves. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealmContext, RequestContext, Server } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { squarePictures } from '../../services/images.ts'
import { writeIntoPlace } from '../../services/place-file.ts'
import type { User } from './access.ts'
import { tellOfPerson } from './announce.ts'
import { avatarUrl } from './present.ts'
import { isAdministrator } from './roles.ts'
import { updateUser, userById } from './store.ts'

/** Sides of the squares, in pixels: as it is mostly shown, and `medium`. */
const SIZES = [100, 500] as const

export const avatarFile = ({ folder }: Server, realmId: number, name: string, medium: boolean): string =>
  join(folder.uploads, String(realmId), 'avatars', `${name}${medium ? '-medium' : ''}.png`)

/** @throws BadRequestError where the organization leaves pictures to its administrators */
export function assertMayChangeAvatar({ realm }: RealmContext, me: User): void {
  if (realm.settings.avatar_changes_disabled && !isAdministrator(me)) {
    throw new BadRequestError('Avatar changes are disabled in this organization.')
  }
}

/** @throws BadRequestError when it is no picture */
export async function uploadAvatar(ctx: RequestContext, me: User, picture: string): Promise<string> {
  const name = randomBytes(12).toString('hex')
  const pictures = await squarePictures(picture, SIZES)
  const files = [false, true].map((medium) => avatarFile(ctx.server, ctx.realm.id, name, medium))
  try {
    for (const [i, bytes] of pictures.entries()) await writeIntoPlace(files[i] ?? '', bytes)
    return ctx.transact((tx) => setAvatar(ctx, tx, me, name))
  } catch (error) {
    for (const file of files) await rm(file, { force: true })
    throw error
  }
}

/**
 * Changes the picture, or takes it away, and tells everybody.
 * @param avatar_file null: the server draws one
 * @returns its address
 */
export function setAvatar(ctx: RequestContext, tx: Tx, me: User, avatar_file: string | null): string {
  assertMayChangeAvatar(ctx, me)
  // Another change may have come first.
  const avatar_version = (userById(tx, me.id) ?? me).avatar_version + 1
  const avatar_source = avatar_file === null ? 'G' : 'U'
  updateUser(tx, me.id, { avatar_file, avatar_source, avatar_version })
  const { realmUrl } = ctx.request
  const avatar_url = avatarUrl({ id: me.id, avatar_version }, realmUrl)
  const avatar_url_medium = avatarUrl({ id: me.id, avatar_version }, realmUrl, '/medium')
  tellOfPerson(ctx, tx, me, {
    user_id: me.id,
    avatar_source,
    avatar_url,
    avatar_url_medium,
    avatar_version,
  })
  return avatar_url
}
