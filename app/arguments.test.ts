import { expect, test } from 'vitest'
import { pickServerArguments } from './arguments.ts'

test('the options of the server are picked out of what Electron and Chromium are given', () => {
  const argv = [
    'electron',
    '--no-sandbox',
    '.',
    '--user-data-dir=/p',
    '--data-dir',
    '/d',
    '--port=0',
    '--dev',
    '--lang=de',
  ]
  expect(pickServerArguments(argv)).toEqual(['--data-dir=/d', '--port=0', '--dev'])
})

test('a value may hold an equals sign, and a missing one is left out', () => {
  expect(pickServerArguments(['--data-dir=/a=b', '--host'])).toEqual(['--data-dir=/a=b'])
})
