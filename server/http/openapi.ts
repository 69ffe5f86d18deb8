/** The OpenAPI document, made from the declarations of the routes. */
import { z } from 'zod'
import { VERSION } from '../version.ts'
import type { Route } from './define-route.ts'
import type { Param } from './params.ts'

type Json = Record<string, unknown>

/** @param baseUrl address of the interface, such as `/r/demo/api/v1` */
export function openApiDocument(routes: readonly Route[], baseUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const item = (paths[route.path] ??= {})
    item[route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: VERSION,
      description: 'The HTTP interface of this Parley server. Sign in with an email address and an API key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'Email address and API key.' },
      },
      schemas: { Error: errorSchema },
    },
  }
}

function operation(route: Route): Json {
  const params = Object.entries(route.params)
  const inBody = route.method !== 'GET'
  const parameters = params.filter(([, { travels }]) => travels === 'path' || !inBody).map(toParameter)
  const fields = params.filter(([, { travels }]) => travels !== 'path')
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [tagOf(route.path)],
    security: route.caller === 'anyone' ? [] : [{ apiKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inBody && fields.length > 0 ? { requestBody: toBody(fields) } : {}),
    responses: {
      200: { description: 'Success', content: jsonContent(successSchema(route.result)) },
      default: { description: 'Error', content: jsonContent({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

/** `messages` of `/messages/{message_id}`: how the console groups operations. */
const tagOf = (path: string): string => path.split('/')[1] ?? ''

const toParameter = ([name, param]: [string, Param]): Json => ({
  name,
  in: param.travels === 'path' ? 'path' : 'query',
  required: isRequired(param),
  ...(param.description ? { description: param.description } : {}),
  ...(param.travels === 'json'
    ? { content: jsonContent(schemaOf(param.schema)) }
    : { schema: schemaOf(param.schema) }),
})

function toBody(fields: [string, Param][]): Json {
  const encoding = Object.fromEntries(
    fields
      .filter(([, { travels }]) => travels === 'json')
      .map(([name]) => [name, { contentType: 'application/json' }]),
  )
  const properties = fields.map(([name, param]) => [
    name,
    {
      ...(param.travels === 'file' ? { type: 'string', format: 'binary' } : schemaOf(param.schema)),
      ...(param.description ? { description: param.description } : {}),
    },
  ])
  const required = fields.filter(([, param]) => isRequired(param)).map(([name]) => name)
  const schema = { type: 'object', properties: Object.fromEntries(properties), required }
  const hasFile = fields.some(([, { travels }]) => travels === 'file')
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return { required: required.length > 0, content: { [type]: { schema, encoding } } }
}

const isRequired = ({ schema }: Param): boolean => !schema.safeParse(undefined).success

function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

function successSchema(result: z.ZodObject): Json {
  const body = result.extend({
    result: z.literal('success'),
    msg: z.literal(''),
    ignored_parameters_unsupported: z.array(z.string()).optional(),
  })
  const { $schema: _, ...rest } = z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' })
  return rest
}

const errorSchema = {
  type: 'object',
  properties: { result: { const: 'error' }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['result', 'msg', 'code'],
}
