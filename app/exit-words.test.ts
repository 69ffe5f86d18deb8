import { expect, test } from 'vitest'
import { explainExit } from './exit-words.ts'

const logLine = (level: number, msg: string) => JSON.stringify({ level, time: 1, msg })

test('what the server said for people is what people read', () => {
  const said = [logLine(30, 'opening'), 'parley: /data is in use by process 12.']
  expect(explainExit(3, said)).toMatchObject({
    title: 'Another Parley is using this data folder',
    detail: '/data is in use by process 12.',
  })
})

test('a crash is told by its error and not by its stack', () => {
  const said = ['parley: Error: out of ideas', '    at think (main.js:1:1)', 'Node.js v24.15.0']
  expect(explainExit(1, said).detail).toBe('Error: out of ideas')
})

test('without plain words the last error in the log has to do, and never a mere note', () => {
  const said = [logLine(50, 'disk full'), logLine(30, 'stopping')]
  expect(explainExit(1, said).detail).toBe('disk full')
  expect(explainExit(7, [logLine(30, 'stopping')]).detail).toBe('It ended with code 7.')
})

test('a taken port is called that', () => {
  const said = ['parley: Error: listen EADDRINUSE: address already in use 127.0.0.1:9870', '    at Server']
  expect(explainExit(1, said).title).toBe('Another program uses the port')
})
