/** How a parameter travels, and its decoding. The zod schema of each is that of the decoded value. */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { BadRequestError, MissingParameterError } from './errors.ts'
import { UploadedFile } from './uploaded-file.ts'

export interface ParamOptions {
  /** Names that older clients use. */
  aliases?: readonly string[]
  description?: string
}

export interface Param<Schema extends z.ZodType = z.ZodType> extends ParamOptions {
  travels: 'text' | 'json' | 'path' | 'file'
  schema: Schema
  /** Of a file: the most it may weigh, in bytes. */
  maxBytes?: (config: Config) => number
  /** Of the path: the rest of it, with its slashes. */
  isRest?: boolean
}

export type Params = Readonly<Record<string, Param>>
export type Decoded<P extends Params> = { [K in keyof P]: z.output<P[K]['schema']> }

/** A scalar, sent plainly: `true`, `17`, `newest`. Quotes around a word that has to be one of a few are forgiven. */
export const text = <S extends z.ZodType>(schema: S, options: ParamOptions = {}): Param<S> => ({
  travels: 'text',
  schema,
  ...options,
})

/** An array, an object or a union with one, sent as JSON. Where the schema allows a string it may also come bare. */
export const json = <S extends z.ZodType>(schema: S, options: ParamOptions = {}): Param<S> => ({
  travels: 'json',
  schema,
  ...options,
})

/** A segment of the path. */
export const path = <S extends z.ZodType>(schema: S, options: ParamOptions = {}): Param<S> => ({
  travels: 'path',
  schema,
  ...options,
})

/** All that is left of the path, with its slashes: for the last segment. */
export const restOfPath = <S extends z.ZodType>(schema: S, options: ParamOptions = {}): Param<S> => ({
  travels: 'path',
  isRest: true,
  schema,
  ...options,
})

/**
 * A file: the one part of a multipart body that is a file, whatever it is called there. It is streamed to disk before
 * the route runs, and removed afterwards unless the route has moved it away.
 * @param maxBytes the most it may weigh
 */
export const file = (
  maxBytes: (config: Config) => number,
  options: ParamOptions = {},
): Param<z.ZodType<UploadedFile>> => ({
  travels: 'file',
  maxBytes,
  schema: z.instanceof(UploadedFile),
  ...options,
})

/** What a request brought: strings from forms, queries and paths, any JSON value from a JSON body. */
export type RawParams = ReadonlyMap<string, unknown>

/** What of a declaration is the same for every request. */
interface Prepared {
  params: readonly PreparedParam[]
  /** Every name under which something may be sent. */
  known: ReadonlySet<string>
}

interface PreparedParam {
  name: string
  param: Param
  /** Under which it may be sent, the one that counts first. */
  names: readonly string[]
  /** What it is where it was not sent; only of values that nobody can change. */
  absent: { value: unknown } | null
  /** A string that is sent can only be meant as JSON: `17` for a number. */
  isNoText: boolean
}

const prepared = new WeakMap<Params, Prepared>()

function prepare(declared: Params): Prepared {
  const params = Object.entries(declared).map(([name, param]): PreparedParam => {
    const absent = param.schema.safeParse(undefined)
    const isKept = absent.success && (typeof absent.data !== 'object' || absent.data === null)
    const asText = param.schema.safeParse('')
    return {
      name,
      param,
      names: param.travels === 'path' ? [] : [name, ...(param.aliases ?? [])],
      absent: isKept ? { value: absent.data } : null,
      isNoText: !asText.success && asText.error.issues.every(isWrongType),
    }
  })
  const made = { params, known: new Set(params.flatMap(({ names }) => names)) }
  prepared.set(declared, made)
  return made
}

/**
 * Decodes and validates every declared parameter.
 * @returns the values, and the names that were sent but not declared
 * @throws MissingParameterError, BadRequestError
 */
export function decodeParams<P extends Params>(
  declared: P,
  sent: RawParams,
  segments: ReadonlyMap<string, string>,
): { values: Decoded<P>; ignored: string[] } {
  const { params, known } = prepared.get(declared) ?? prepare(declared)
  const values: Record<string, unknown> = {}
  for (const one of params) {
    let raw: unknown = segments.get(one.name)
    for (const name of one.names) raw ??= sent.get(name)
    values[one.name] = raw === undefined && one.absent ? one.absent.value : decodeOne(one, raw)
  }
  const ignored = [...sent.keys()].filter((name) => !known.has(name))
  return { values: values as Decoded<P>, ignored }
}

function decodeOne({ name, param, isNoText }: PreparedParam, raw: unknown): unknown {
  // A field of text is no file.
  if (raw === undefined || (param.travels === 'file' && !(raw instanceof UploadedFile))) {
    const absent = param.schema.safeParse(undefined)
    if (absent.success) return absent.data
    if (param.travels === 'file') throw new BadRequestError('You must specify a file to upload')
    throw new MissingParameterError(name)
  }
  const failures: z.ZodSafeParseError<unknown>[] = []
  for (const candidate of readings(param, isNoText, raw)) {
    const result = param.schema.safeParse(candidate)
    if (result.success) return result.data
    failures.push(result)
  }
  // Only now, because zod works an error out when it is looked at.
  const issues = failures.map(({ error }) => error.issues[0])
  // What is wrong with a value of the right type says more than that another reading is of a wrong one.
  const problem = issues.find((issue) => issue && !isWrongType(issue)) ?? issues.at(-1)
  throw new BadRequestError(`Invalid ${name}: ${describe(problem)}`, { var_name: name })
}

/** The values a raw parameter may stand for, likeliest first, and no sooner than they are needed. */
function* readings({ travels }: Param, isNoText: boolean, raw: unknown): Generator<unknown> {
  if (typeof raw !== 'string') {
    yield raw
    if (typeof raw === 'number') yield String(raw)
    return
  }
  const isJsonFirst = isNoText || travels === 'json'
  if (!isJsonFirst) yield raw
  const parsed = parseJson(raw)
  if (parsed !== undefined) yield parsed
  if (isJsonFirst && (parsed === undefined || !isNoText)) yield raw
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

const isWrongType = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' && path.length === 0

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'invalid value'
  const where = issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
  return issue.message + where
}
