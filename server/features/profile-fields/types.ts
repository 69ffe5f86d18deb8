/** The types of custom profile fields, and what each takes as its `field_data` and as a user's value. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { renderMarkdown } from '../../services/markdown.ts'
import { accountIn } from './external-accounts.ts'
import { usersByIds } from '../users/store.ts'

export const fieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const

const { LONG_TEXT, SELECT, EXTERNAL_ACCOUNT, USER } = fieldTypes

export const FieldTypeNumber = z.literal([1, 2, 3, 4, 5, 6, 7, 8])
export type FieldTypeNumber = z.output<typeof FieldTypeNumber>

const Choices = z.record(
  z.string().min(1),
  z.strictObject({ text: z.string().trim().min(1), order: z.string().regex(/^\d+$/) }),
)
const CustomAccount = z.strictObject({
  subtype: z.literal('custom'),
  name: z.string().optional(),
  url_pattern: z.string().max(1024),
})
const KnownAccount = z.strictObject({ subtype: z.string() })

/**
 * What is stored for the `field_data` of a request.
 * @throws BadRequestError when it does not fit the type
 */
export function parseFieldData(type: number, given: object | undefined): string {
  if (type === SELECT.id) return JSON.stringify(parseChoices(given))
  if (type !== EXTERNAL_ACCOUNT.id) return ''
  if (accountIn(given)) return JSON.stringify(parsed(KnownAccount, given, 'field_data'))
  const data = parsed(CustomAccount, given, 'field_data')
  if (!/%\(username\)s/.test(data.url_pattern) || !isLink(data.url_pattern.replace('%(username)s', 'x'))) {
    throw new BadRequestError('url_pattern must be a link with %(username)s in it')
  }
  return JSON.stringify(data)
}

function parseChoices(given: object | undefined): z.output<typeof Choices> {
  const choices = parsed(Choices, given, 'field_data')
  const texts = Object.values(choices).map(({ text }) => text)
  if (texts.length === 0) throw new BadRequestError('Field must have at least one choice.')
  if (new Set(texts).size < texts.length) throw new BadRequestError('Field must not have duplicate choices.')
  return choices
}

/** Whether fields of this type can stand in the summary of a profile. */
export const fitsSummary = (type: number): boolean => type !== LONG_TEXT.id && type !== USER.id

/** A value as a request gives it: text, or for users a list of ids. */
export const GivenValue = z.union([z.string(), z.array(z.int())])
export type GivenValue = z.output<typeof GivenValue>

const ShortText = z.string().trim().min(1).max(50, 'value is too long (limit: 50 characters)')
const valueTypes: Record<number, z.ZodType<string>> = {
  1: ShortText,
  2: z.string().trim().min(1).max(500, 'value is too long (limit: 500 characters)'),
  4: z.iso.date(),
  5: z.string().trim().max(2000).refine(isLink, 'value is not a URL'),
  7: ShortText,
  8: ShortText,
}

/**
 * What is stored for a user's value, with its HTML where the type takes Markdown.
 * @throws BadRequestError when it does not fit the field
 */
export function parseValue(
  db: Reader,
  field: { type: number; name: string; field_data: string },
  given: GivenValue,
): { value: string; rendered_value: string | null } {
  const value = field.type === USER.id ? userIds(db, field.name, given) : plainValue(field, given)
  return { value, rendered_value: field.type <= LONG_TEXT.id ? renderMarkdown(value) : null }
}

function plainValue(field: { type: number; name: string; field_data: string }, given: GivenValue): string {
  if (typeof given === 'string' && given.includes('\0'))
    throw new BadRequestError(`${field.name}: invalid value`)
  if (field.type !== SELECT.id) return parsed(valueTypes[field.type] ?? ShortText, given, field.name)
  const choices = JSON.parse(field.field_data) as object
  if (typeof given !== 'string' || !Object.hasOwn(choices, given)) {
    throw new BadRequestError(`'${String(given)}' is not a valid choice for '${field.name}'.`)
  }
  return given
}

const Ids = z.array(z.int()).min(1)

function userIds(db: Reader, name: string, given: GivenValue): string {
  const ids = [...new Set(parsed(Ids, typeof given === 'string' ? readJson(given) : given, name))]
  const found = usersByIds(db, ids).filter((user) => user.is_active && !user.is_bot)
  if (found.length !== ids.length) throw new BadRequestError(`Invalid user ID in '${name}'`)
  return JSON.stringify(ids)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isLink(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text)
}

function parsed<T>(schema: z.ZodType<T>, given: unknown, what: string): T {
  const result = schema.safeParse(given)
  if (!result.success) throw new BadRequestError(`Invalid ${what}: ${result.error.issues[0]?.message ?? ''}`)
  return result.data
}
