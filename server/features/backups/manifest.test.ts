import { expect, test } from 'vitest'
import { asManifest, type Manifest, manifestText, parseJson } from './manifest.ts'

const files = Array.from({ length: 5000 }, (_, i) => ({
  name: `uploads/1/ab/${i}/a "quoted", file\n${i}.txt`,
  size: i,
  sha256: i.toString(16).padStart(64, '0'),
}))
const manifest: Manifest = {
  format: 1,
  program: 'parley',
  version: '1.0.0',
  schema_version: 1,
  created_at: 1_795_000_000,
  files,
  missing: ['uploads/1/gone'],
}

test('a long list is written and read with other work in between', async () => {
  let turns = 0
  let goesOn = true
  const turn = (): void => {
    turns += 1
    if (goesOn) setImmediate(turn)
  }
  setImmediate(turn)
  const parts: Buffer[] = []
  for await (const part of manifestText(manifest)) parts.push(part)
  expect(turns).toBeGreaterThanOrEqual(9)
  const value = await parseJson(Buffer.concat(parts).toString())
  expect(turns).toBeGreaterThanOrEqual(18)
  expect(await asManifest(value)).toEqual(manifest)
  expect(turns).toBeGreaterThanOrEqual(27)
  goesOn = false
})

test('however it is laid out, it is read', async () => {
  for (const text of [
    JSON.stringify(manifest),
    JSON.stringify(manifest, null, 1),
    `${JSON.stringify(manifest, null, 1)}\n`,
    JSON.stringify({ ...manifest, files: [] }, null, 1),
  ]) {
    expect(await parseJson(text)).toEqual(JSON.parse(text))
  }
  await expect(parseJson(JSON.stringify(manifest).slice(0, -5))).rejects.toThrow()
})

test('one file of many that is none makes it another', async () => {
  const wrong = files.with(4321, { ...(files[0] as (typeof files)[0]), size: -1 })
  expect(await asManifest({ ...manifest, files: wrong })).toBeUndefined()
  expect(await asManifest({ ...manifest, files: 'none' })).toBeUndefined()
  expect(await asManifest({ ...manifest, program: 'other' })).toBeUndefined()
  expect(await asManifest(null)).toBeUndefined()
})
