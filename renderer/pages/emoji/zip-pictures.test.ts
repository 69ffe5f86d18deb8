import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openZip } from './zip-pictures.ts'

async function zipOf(files: Record<string, string>, compress: boolean): Promise<Blob> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name, { compress })
  zip.end({ comment: 'made for a test', forceZip64Format: false })
  return new Blob([new Uint8Array(await buffer(zip.outputStream))])
}

const files = { 'set/tea.png': 'tea '.repeat(500), 'Grüße.gif': 'short' }

test.each([true, false])('files of an archive are found by name (compressed: %s)', async (compress) => {
  const picture = await openZip(await zipOf(files, compress))
  for (const [name, text] of Object.entries(files)) expect(await (await picture(name))?.text()).toBe(text)
  expect(await picture('other.png')).toBeNull()
})

test('what is no archive, or is cut off, has no pictures', async () => {
  const whole = await zipOf(files, true)
  const damaged = new Blob([new Uint8Array(40), whole.slice(40)])
  for (const archive of [new Blob([]), new Blob(['x'.repeat(70_000)]), whole.slice(0, 60), damaged]) {
    const picture = await openZip(archive)
    expect(await picture('set/tea.png')).toBeNull()
  }
})
