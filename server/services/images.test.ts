import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { emojiPicture, fittedPicture, squarePictures, thumbnail, thumbnailFormats } from './images.ts'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const plain = (width: number, height: number, background = 'red') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Frames below each other, which is how sharp takes an animation. */
export const animation = async (frames: string[], size = 40) => {
  const pictures = await Promise.all(frames.map((colour) => plain(size, size, colour).png().toBuffer()))
  return sharp(pictures, { join: { animated: true } })
}

async function asFile(bytes: Buffer): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'parley-pictures-')), 'picture')
  await writeFile(file, bytes)
  return file
}

test('a picture becomes an emoji of 64 pixels, in PNG', async () => {
  for (const bytes of [
    await plain(300, 100).jpeg().toBuffer(),
    await plain(10, 10).png().toBuffer(),
    await plain(100, 80).webp().toBuffer(),
  ]) {
    const { bytes: made, ending, still } = await emojiPicture(bytes)
    expect(await sharp(made).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 })
    expect([ending, still]).toEqual(['png', null])
  }
})

test.each(['gif', 'webp'] as const)(
  'an animated %s keeps its frames, and has a picture at rest',
  async (format) => {
    const bytes = await (await animation(['red', 'green', 'blue'])).toFormat(format).toBuffer()
    const made = await emojiPicture(bytes)
    expect(made.ending).toBe(format)
    expect(await sharp(made.bytes, { animated: true }).metadata()).toMatchObject({
      format,
      pages: 3,
      width: 64,
      pageHeight: 64,
    })
    expect(await sharp(made.still ?? Buffer.of()).metadata()).toMatchObject({
      format: 'png',
      width: 64,
      height: 64,
    })
  },
)

test('a picture is turned upright, and tells nothing of its camera', async () => {
  const bytes = await plain(100, 50)
    .withExif({ IFD0: { Model: 'Spyglass' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const made = await sharp(await fittedPicture(await asFile(bytes), 800, 100)).metadata()
  expect(made).toMatchObject({ width: 50, height: 100 })
  expect([made.exif, made.orientation]).toEqual([undefined, undefined])
})

test('squares are cut from the middle', async () => {
  const [large, medium] = await squarePictures(
    await asFile(await plain(300, 200).png().toBuffer()),
    [100, 500],
  )
  expect(await sharp(large).metadata()).toMatchObject({ width: 100, height: 100, format: 'png' })
  expect(await sharp(medium).metadata()).toMatchObject({ width: 500, height: 500 })
})

test('a thumbnail fits and is not enlarged', async () => {
  const still = thumbnailFormats.find(({ animated }) => !animated)
  if (!still) throw new Error('no format')
  const of = async (width: number, height: number) =>
    sharp(await thumbnail(await asFile(await plain(width, height).png().toBuffer()), still)).metadata()
  expect(await of(2000, 500)).toMatchObject({ format: 'webp', width: 840, height: 210 })
  expect(await of(30, 20)).toMatchObject({ width: 30, height: 20 })
})

test.each([
  ['nothing', Buffer.of()],
  ['text', Buffer.from('hello')],
  [
    'a drawing',
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
  ],
  ['a cut-off picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
])('%s is no picture', async (_what, bytes) => {
  await expect(emojiPicture(bytes)).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 })
})

/** A PNG file that says how large its picture is, and has next to nothing in it. */
function hollowPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a small file of many pixels is refused before it is decoded', async () => {
  await expect(emojiPicture(hollowPng(12_000, 12_000))).rejects.toThrow('too many pixels')
})
