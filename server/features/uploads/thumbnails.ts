/** Small forms of uploaded pictures, made when they are first asked for and kept beside the uploads. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../../context.ts'
import type { FileReply } from '../../http/send-file.ts'
import { canUsePictures, thumbnail, type ThumbnailFormat } from '../../services/images.ts'
import { writeIntoPlace } from '../../services/place-file.ts'
import type { Attachment } from './present.ts'

/** Kinds that can be made small. */
export const isPicture = ({ content_type }: Attachment): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|tiff|apng)$/.test(content_type)

/** Name of the small form that messages show: one that moves, where the kind of picture can. */
export const previewFormat = ({ content_type }: Attachment): string =>
  /^image\/(gif|webp)$/.test(content_type) ? '840x560-anim.webp' : '840x560.webp'

const underWay = new Map<string, Promise<void>>()

/**
 * @returns the small picture, or the whole one where this machine cannot make small ones
 * @throws UnusablePictureError
 */
export async function thumbnailOf(
  server: Server,
  attachment: Attachment,
  format: ThumbnailFormat,
): Promise<Pick<FileReply, 'file' | 'contentType'>> {
  const { uploads } = server.folder
  const whole = join(uploads, attachment.path_id)
  const file = join(uploads, 'thumbnail', attachment.path_id, format.name)
  if (!(await stat(file).catch(() => null))) {
    if (!(await canUsePictures())) return { file: whole, contentType: attachment.content_type }
    // Many ask for the same one when a message arrives.
    let making = underWay.get(file)
    if (!making) {
      making = thumbnail(whole, format)
        .then((bytes) => writeIntoPlace(file, bytes))
        .finally(() => underWay.delete(file))
      underWay.set(file, making)
    }
    await making
  }
  return { file, contentType: `image/${format.format}` }
}
