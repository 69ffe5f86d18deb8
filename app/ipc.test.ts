import { expect, test, vi } from 'vitest'
import { answerCall, type Handlers } from './ipc.ts'

function makeHandlers(): Handlers {
  return {
    getStatus: vi.fn(() => ({ state: 'running' as const, restarts: 0 })),
    startServer: vi.fn(),
    stopServer: vi.fn(),
    openFolder: vi.fn(),
    openInBrowser: vi.fn(),
  }
}

test('a call that the table allows reaches its handler', async () => {
  const handlers = makeHandlers()
  expect(await answerCall(handlers, 'getStatus', [])).toEqual({ state: 'running', restarts: 0 })
  await answerCall(handlers, 'openFolder', ['logs'])
  expect(handlers.openFolder).toHaveBeenCalledWith('logs')
})

test('wrong, missing and additional arguments reject, and no handler runs', async () => {
  const handlers = makeHandlers()
  for (const given of [['/etc'], [], ['logs', 'data'], [{ toString: () => 'logs' }]]) {
    await expect(answerCall(handlers, 'openFolder', given)).rejects.toThrow('bad arguments')
  }
  await expect(answerCall(handlers, 'startServer', [1])).rejects.toThrow('bad arguments')
  expect(handlers.openFolder).not.toHaveBeenCalled()
  expect(handlers.startServer).not.toHaveBeenCalled()
})
