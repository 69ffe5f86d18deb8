/** Who may do what: every operation is tried by every kind of caller, and a refusal changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '../features/registry.ts'
import { start, type TestServer } from '../test/boot.ts'
import { contract } from '../test/contract.ts'
import { type Operation, operations } from './operations.ts'
import { sendRequest } from './send.ts'
import { type Insider, insiders, type Outsider, outsiders, World } from './world.ts'

let server: TestServer
let common: World
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ server, stop } = await start())
  common = await World.make(server, 'test')
})
afterAll(() => stop())

const strangers: Record<Outsider, { code: string; status: number }> = {
  webhook: { code: 'UNAUTHORIZED', status: 401 },
  deactivated: { code: 'USER_DEACTIVATED', status: 401 },
  spectator: { code: 'UNAUTHORIZED', status: 401 },
  wrongKey: { code: 'INVALID_API_KEY', status: 401 },
  stranger: { code: 'INVALID_API_KEY', status: 401 },
}

const expected = ({ allowed, refusal, exceptions }: Operation, caller: Insider | Outsider) => {
  const success = { code: undefined, status: 200 }
  const exception = exceptions[caller]
  if (exception) return exception
  if (allowed.includes(caller)) return success
  return caller in strangers ? strangers[caller as Outsider] : refusal
}

test('there is a row for every operation, and an operation for every row', () => {
  const names = apiRoutes.map(({ method, path }) => `${method} ${path}`).sort()
  expect(Object.keys(operations).sort()).toEqual(names)
})

test.skipIf(!contract)('every operation of the contract is there', () => {
  const missing = (contract?.endpoints ?? [])
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !(name in operations))
  expect(missing).toEqual([])
})

describe('who may', () => {
  test.each(Object.entries(operations))('%s', async (name, operation) => {
    const world = operation.spoils
      ? await World.make(server, `own${Object.keys(operations).indexOf(name)}`)
      : common
    const outcome: Record<string, unknown> = {}
    const wanted: Record<string, unknown> = {}
    // Who is refused leaves everything as it was, so one request serves them all.
    const shared = await operation.request(world, world.owner)
    // The owner comes last: who deactivates the organization leaves nothing to the others.
    for (const caller of [...outsiders, ...insiders.toReversed()]) {
      const who = world.callers[caller]
      const may = insiders.some((name) => name === caller) && operation.allowed.includes(caller)
      const request = may ? await operation.request(world, who) : shared
      const before = world.sequence
      const { status, body } = await sendRequest(who, name, request)
      outcome[caller] = { code: body['code'], status }
      wanted[caller] = expected(operation, caller)
      if (status === 200) expect(body).toMatchObject({ result: 'success', msg: '' })
      else {
        expect(body).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) })
        expect(world.sequence, `${caller} changed something`).toBe(before)
      }
      expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    }
    expect(outcome).toEqual(wanted)
  })
})
