// The eight types of profile fields, and how what they are made of travels.

import type { ProfileField, RealmState } from '../../live.ts'

export type FieldType = ProfileField['type']

export const LIST: FieldType = 3
export const EXTERNAL: FieldType = 7

interface TypeInWords {
  value: FieldType
  label: string
  description: string
  /** Whether it can stand in the short form of a profile. */
  fitsSummary: boolean
}

export const fieldTypes: readonly TypeInWords[] = [
  { value: 1, label: 'Short text', description: 'One line of up to 50 characters', fitsSummary: true },
  { value: 2, label: 'Long text', description: 'Several lines, with Markdown', fitsSummary: false },
  { value: 3, label: 'List of options', description: 'One of the choices that you give', fitsSummary: true },
  { value: 4, label: 'Date', description: 'A day, such as a birthday', fitsSummary: true },
  { value: 5, label: 'Link', description: 'An address on the web', fitsSummary: true },
  { value: 6, label: 'People', description: 'Other people of the organization', fitsSummary: false },
  { value: 7, label: 'External account', description: 'A name on another service', fitsSummary: true },
  { value: 8, label: 'Pronouns', description: 'How to speak of somebody', fitsSummary: true },
]

export const typeOf = (type: number): TypeInWords | undefined =>
  fieldTypes.find(({ value }) => value === type)

export interface Choice {
  /** Under which people's answers are kept; empty for a choice that is new. */
  key: string
  text: string
}

type StoredChoices = Record<string, { text: string; order: string }>

/** Choices of a list in their order. */
export function choicesIn(field_data: string): Choice[] {
  const stored = parse<StoredChoices>(field_data) ?? {}
  return Object.entries(stored)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }))
}

/** `field_data` of choices, without empty ones; those that are kept keep their keys, and with them what people chose. */
export function dataOfChoices(choices: readonly Choice[]): StoredChoices {
  let highest = Math.max(-1, ...choices.map(({ key }) => (/^\d+$/.test(key) ? Number(key) : -1)))
  const given = choices.filter(({ text }) => text.trim())
  return Object.fromEntries(
    given.map(({ key, text }, index) => [
      key || String((highest += 1)),
      { text: text.trim(), order: String(index + 1) },
    ]),
  )
}

/** What an account that is none of the known services is stored as. */
export const CUSTOM = 'custom'

type StoredAccount = { subtype?: string; url_pattern?: string }
type KnownAccounts = RealmState['settings']['realm_default_external_accounts']

/** Which service the accounts of a field are of. */
export const subtypeIn = (field_data: string): string => parse<StoredAccount>(field_data)?.subtype ?? CUSTOM

export const patternIn = (field_data: string): string => parse<StoredAccount>(field_data)?.url_pattern ?? ''

/** The address of somebody's account; null where there is none. */
export function accountAddress(known: KnownAccounts, field_data: string, username: string): string | null {
  const pattern = patternIn(field_data) || (known[subtypeIn(field_data)]?.url_pattern ?? '')
  const name = username.trim()
  if (!pattern || !name) return null
  // An account may be named with its server, as in `name@server.example`.
  const inPath = encodeURIComponent(name).replaceAll('%40', '@')
  return pattern.replaceAll('%(username)s', () => inPath)
}

export function patternProblem(pattern: string): string | null {
  const address = pattern.trim()
  if (!address.includes('%(username)s')) return 'Put %(username)s where the name belongs.'
  const sample = address.replace('%(username)s', 'x')
  return URL.canParse(sample) && /^https?:\/\//i.test(sample) ? null : 'Begin with https://'
}

export function choicesProblem(choices: readonly Choice[]): string | null {
  const texts = choices.map(({ text }) => text.trim()).filter(Boolean)
  if (texts.length === 0) return 'Give at least one choice.'
  return new Set(texts).size < texts.length ? 'Two choices are the same.' : null
}

function parse<T>(json: string): T | undefined {
  try {
    return json ? (JSON.parse(json) as T) : undefined
  } catch {
    return undefined
  }
}
