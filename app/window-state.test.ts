import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepVisible, readWindowState, writeWindowState } from './window-state.ts'

const screen = { x: 0, y: 0, width: 1600, height: 1000 }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-window-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('what was kept is read again', () => {
  const file = join(makeFolder(), 'profile', 'window.json')
  const state = { bounds: { x: 5, y: 6, width: 700, height: 500 }, maximized: true, onClose: 'hide' as const }
  writeWindowState(file, state)
  expect(readWindowState(file)).toEqual(state)
})

test('a missing or damaged file opens an ordinary window', () => {
  const file = join(makeFolder(), 'window.json')
  expect(readWindowState(file)).toEqual({ maximized: false })
  writeFileSync(file, '{"bounds": {"x": "left"}}')
  expect(readWindowState(file)).toEqual({ maximized: false })
})

test('bounds on a screen that is gone are forgotten', () => {
  const here = { x: 200, y: 100, width: 900, height: 700 }
  expect(keepVisible(here, [screen])).toEqual(here)
  expect(keepVisible({ ...here, x: 1700 }, [screen])).toBeUndefined()
  expect(keepVisible({ ...here, y: -300 }, [screen])).toBeUndefined()
  expect(keepVisible(undefined, [screen])).toBeUndefined()
})
