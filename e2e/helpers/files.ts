// Files as people have them: pictures, archives, and several at once under the mouse.
import { buffer } from 'node:stream/consumers'
import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { ZipFile } from 'yazl'

export type TestFile = { name: string; mimeType: string; buffer: Buffer }

export const pngOf = (background: string, width = 48, height = width): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer()

export const picture = async (name: string, background: string): Promise<TestFile> => ({
  name,
  mimeType: 'image/png',
  buffer: await pngOf(background),
})

export async function archive(name: string, files: Record<string, Buffer>): Promise<TestFile> {
  const zip = new ZipFile()
  for (const [path, bytes] of Object.entries(files)) zip.addBuffer(bytes, path)
  zip.end()
  return { name, mimeType: 'application/zip', buffer: await buffer(zip.outputStream) }
}

/** Drags files from outside over a place; the answer lets them go. */
export async function dragOver(place: Locator, files: TestFile[]): Promise<() => Promise<void>> {
  const dataTransfer = await place.page().evaluateHandle(
    (dragged) => {
      const transfer = new DataTransfer()
      for (const { name, type, base64 } of dragged) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type }))
      }
      return transfer
    },
    files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') })),
  )
  await place.dispatchEvent('dragenter', { dataTransfer })
  await place.dispatchEvent('dragover', { dataTransfer })
  return () => place.dispatchEvent('drop', { dataTransfer })
}
