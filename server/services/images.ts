/**
 * Pictures that people send, decoded by sharp, which is loaded when the first one comes: where a machine has no sharp,
 * the server does all but this. What comes out holds no more than the picture: no place, no camera, no comment.
 */
import type sharpLibrary from 'sharp'
import type { Sharp } from 'sharp'
import { BadRequestError } from '../http/errors.ts'

/** A picture of more is no picture but an attack; frames count each. */
const MAX_PIXELS = 100_000_000
/** Pictures that are decoded at the same time: each takes memory by its pixels. */
const AT_ONCE = 2

export class UnusablePictureError extends BadRequestError {}

type Library = typeof sharpLibrary
let loading: Promise<Library> | undefined

function loadSharp(): Promise<Library> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.cache(false)
      sharp.concurrency(1)
      // Only what is listed here is ever decoded, whatever the bytes claim to be; drawings could ask for other files.
      sharp.block({ operation: ['VipsForeignLoad'] })
      sharp.unblock({
        operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`),
      })
      return sharp
    },
    () => {
      throw new UnusablePictureError(
        'This server cannot work with pictures: the library "sharp" does not run on its machine.',
      )
    },
  )
  return loading
}

/** Whether pictures can be worked with on this machine. */
export const canUsePictures = (): Promise<boolean> =>
  loadSharp().then(
    () => true,
    () => false,
  )

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

interface Picture {
  frames: number
  format: string
  /** The picture upright; all its frames, or the first one only. */
  open: (animated: boolean) => Sharp
}

/** @throws UnusablePictureError */
async function withPicture<T>(
  input: string | Uint8Array,
  work: (picture: Picture) => Promise<T>,
): Promise<T> {
  const sharp = await loadSharp()
  return inTurn(async () => {
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const
    try {
      const { pages = 1, format } = await sharp(input, options).metadata()
      const open = (animated: boolean): Sharp => {
        // Frames of an animation stand upright already.
        if (animated && pages > 1) return sharp(input, { ...options, animated: true })
        return sharp(input, options).autoOrient()
      }
      return await work({ frames: format === 'heif' ? 1 : pages, format, open })
    } catch (error) {
      if (error instanceof UnusablePictureError) throw error
      const isTooLarge = error instanceof Error && error.message.includes('pixel limit')
      throw new UnusablePictureError(
        isTooLarge
          ? 'The picture has too many pixels'
          : 'Could not decode image. Did you upload an image file?',
      )
    }
  })
}

/**
 * The middle of a picture as squares, in PNG.
 * @param sizes length of their sides, in pixels
 */
export const squarePictures = (input: string, sizes: readonly number[]): Promise<Buffer[]> =>
  withPicture(input, ({ open }) =>
    Promise.all(sizes.map((size) => open(false).resize(size, size, { fit: 'cover' }).png().toBuffer())),
  )

/** A picture within a rectangle, in PNG; never enlarged. */
export const fittedPicture = (input: string, width: number, height: number): Promise<Buffer> =>
  withPicture(input, ({ open }) =>
    open(false).resize(width, height, { fit: 'inside', withoutEnlargement: true }).png().toBuffer(),
  )

export interface EmojiPicture {
  bytes: Buffer
  ending: 'png' | 'gif' | 'webp'
  /** At rest, in PNG, where it is animated. */
  still: Buffer | null
}

/** A picture of 64 by 64 pixels on a transparent ground; GIF and WebP keep their frames. */
export const emojiPicture = (input: string | Uint8Array): Promise<EmojiPicture> =>
  withPicture(input, async ({ frames, format, open }) => {
    const small = (picture: Sharp): Sharp =>
      picture.resize(64, 64, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    const still = await small(open(false)).png().toBuffer()
    if (frames === 1 || (format !== 'gif' && format !== 'webp')) {
      return { bytes: still, ending: 'png', still: null }
    }
    const animated = small(open(true))
    const bytes = await (format === 'gif' ? animated.gif() : animated.webp()).toBuffer()
    return { bytes, ending: format, still }
  })

export interface ThumbnailFormat {
  name: string
  max_width: number
  max_height: number
  format: 'webp'
  animated: boolean
}

/** What a picture in a message is shown as before somebody opens it. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  { name: '300x200.webp', max_width: 300, max_height: 200, format: 'webp', animated: false },
]

export const thumbnail = (input: string, format: ThumbnailFormat): Promise<Buffer> =>
  withPicture(input, ({ open }) =>
    open(format.animated)
      .resize(format.max_width, format.max_height, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer(),
  )
