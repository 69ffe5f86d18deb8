import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { AnyEvent } from './events/union.ts'
import { apiRoutes } from './features/registry.ts'
import { contract } from './test/contract.ts'

/** Parameters that routes take beyond the contract, or leave to a later piece of work. */
const differences: Record<string, { more?: string[]; fewer?: string[] }> = {
  // Without a queue the register parameters are taken (specification, "GET /events").
  'GET /events': {
    more: [
      'all_public_streams',
      'apply_markdown',
      'client_capabilities',
      'client_extavatar',
      'event_types',
      'fetch_event_types',
      'include_subscribers',
      'narrow',
      'presence_history_limit_days',
      'slim_presence',
    ],
  },
}

/** Operations that clients use beside the documented ones. */
const extra = new Set([
  'POST /submessage',
  'POST /users/me/onboarding_steps',
  'POST /users/me/call_token',
  'PATCH /realm/profile_fields/{field_id}',
  'DELETE /realm/profile_fields/{field_id}',
  'PATCH /users/me/profile_data',
  'DELETE /users/me/profile_data',
  'POST /users/me/api_key/regenerate',
  'GET /bots',
  'POST /bots',
  'PATCH /bots/{bot_id}',
  'DELETE /bots/{bot_id}',
  'GET /bots/{bot_id}/api_key',
  'POST /bots/{bot_id}/api_key/regenerate',
  'POST /users/me/avatar',
  'DELETE /users/me/avatar',
  'PATCH /realm',
  'POST /realm/deactivate',
  'POST /realm/icon',
  'DELETE /realm/icon',
  'POST /realm/logo',
  'DELETE /realm/logo',
  'POST /realm/domains',
  'PATCH /realm/domains/{domain}',
  'DELETE /realm/domains/{domain}',
  'POST /default_stream_groups/create',
  'PATCH /default_stream_groups/{group_id}',
  'DELETE /default_stream_groups/{group_id}',
  'PATCH /default_stream_groups/{group_id}/streams',
  'DELETE /export/realm/{export_id}',
])

describe.skipIf(!contract)('the declarations agree with the contract', () => {
  test.each(
    apiRoutes
      .map((route) => [`${route.method} ${route.path}`, route] as const)
      .filter(([name]) => !extra.has(name)),
  )('%s', (name, route) => {
    const endpoint = contract?.endpoints.find(
      ({ method, path }) => method === route.method && path === route.path,
    )
    expect(endpoint, 'is in the contract').toBeDefined()
    const { more = [], fewer = [] } = differences[name] ?? {}
    const wanted = new Set(
      endpoint?.params.map((param) => param.name).filter((param) => !fewer.includes(param)),
    )
    expect(new Set(Object.keys(route.params))).toEqual(new Set([...wanted, ...more]))
    for (const { name: param, renamed_from } of endpoint?.params ?? []) {
      if (renamed_from && !fewer.includes(param)) expect(route.params[param]?.aliases).toContain(renamed_from)
    }
    const required = ({ required }: { required: boolean }) => required
    for (const { name: param } of (endpoint?.params ?? []).filter(required)) {
      const isOptional = route.params[param]?.schema.safeParse(undefined).success
      // The queue to poll may be missing: then one is registered.
      if (!fewer.includes(param) && `${name} ${param}` !== 'GET /events queue_id')
        expect(isOptional).toBe(false)
    }
  })

  test('the events that are sent are events of the contract, with no field more', () => {
    const shapes = AnyEvent.options as readonly z.ZodObject[]
    for (const shape of shapes) {
      const type = String((shape.shape['type'] as z.ZodLiteral).value)
      const op = shape.shape['op'] ? String((shape.shape['op'] as z.ZodLiteral).value) : null
      const known = contract?.events.find((event) => event.type === type && event.op === op)
      if (!known) throw new Error(`${type} ${op} is not in the contract`)
      const fields = Object.keys((known.schema['properties'] as object | undefined) ?? {})
      expect(fields).toEqual(expect.arrayContaining(Object.keys(shape.shape)))
      const required = (known.schema['required'] as string[]).filter((field) => field !== 'id')
      expect(Object.keys(shape.shape)).toEqual(expect.arrayContaining(required))
    }
  })
})

test('every operation has an id and an address of its own', () => {
  expect(new Set(apiRoutes.map(({ id }) => id)).size).toBe(apiRoutes.length)
  expect(new Set(apiRoutes.map(({ method, path }) => `${method} ${path}`)).size).toBe(apiRoutes.length)
})
