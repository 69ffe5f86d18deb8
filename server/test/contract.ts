/** The published facts of the interface, where the machine has them. Tests that need them skip elsewhere. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface ContractEndpoint {
  method: string
  path: string
  params: { name: string; in: string; required: boolean; renamed_from?: string }[]
  returns: Record<string, unknown> & { properties?: Record<string, unknown> }
  closed?: boolean
}
export interface ContractEvent {
  type: string
  op: string | null
  schema: Record<string, unknown>
}

const folder = process.env['PARLEY_CONTRACT_DIR'] ?? join(import.meta.dirname, '../../../shared/contract')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T

export const contract = existsSync(join(folder, 'endpoints.json'))
  ? {
      endpoints: read<ContractEndpoint[]>('endpoints.json'),
      events: read<ContractEvent[]>('events.json'),
      schemas: read<{ $defs: Record<string, Record<string, unknown>> }>('schemas.json'),
    }
  : null

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false })
if (contract) ajv.addSchema(contract.schemas, 'schemas.json')
const compiled = new Map<object, ValidateFunction>()

function problems(schema: object, value: unknown): string | null {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

/** What is wrong with the body of a success by the contract; null when nothing is, or nothing is known. */
export function replyProblems(method: string, path: string, body: Record<string, unknown>): string | null {
  const endpoint = contract?.endpoints.find((one) => one.method === method && fits(one.path, path))
  if (!endpoint) return null
  const { result: _result, msg: _msg, ignored_parameters_unsupported: _ignored, ...own } = body
  const extra = Object.keys(own).filter((name) => !(name in (endpoint.returns.properties ?? {})))
  if (endpoint.closed && endpoint.returns.properties && extra.length > 0)
    return `unknown: ${extra.join(', ')}`
  return problems(endpoint.returns, own)
}

export function eventProblems(event: { type: string; op?: string }): string | null {
  const known = contract?.events.find(({ type, op }) => type === event.type && op === (event.op ?? null))
  if (!contract) return null
  return known ? problems(known.schema, event) : `no such event: ${event.type} ${event.op}`
}

export const schemaProblems = (name: string, value: unknown): string | null =>
  contract ? problems({ $ref: `schemas.json#/$defs/${name}` }, value) : null

const fits = (template: string, path: string): boolean => {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') ? /^\d+$/.test(given[i] ?? '') : part === given[i]))
  )
}
