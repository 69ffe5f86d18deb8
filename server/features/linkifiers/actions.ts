/** What changes about linkifiers, and who hears of it: everybody. */
import type { RE2JS } from 're2js'
import type { Reader, Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { isSafeAddress } from '../../services/markdown/links.ts'
import {
  compilePattern,
  expandTemplate,
  groupNames,
  templateVariables,
} from '../../services/markdown/linkifiers.ts'
import { activeUserIds } from '../users/store.ts'
import {
  deleteLinkifierRow,
  insertLinkifier,
  linkifiersOf,
  type LinkifierObject,
  updateLinkifier,
} from './store.ts'

/** Each is tried on every message. */
const MAX_LINKIFIERS = 100
/** States of a pattern's automaton, which the time it takes grows with. */
const MAX_PATTERN_SIZE = 300

type Fields = Omit<LinkifierObject, 'id'>

/** @throws BadRequestError */
export function addLinkifier(tx: Tx, fields: Fields): number {
  if (linkifiersOf(tx).length >= MAX_LINKIFIERS) {
    throw new BadRequestError(`There can be at most ${MAX_LINKIFIERS} linkifiers`)
  }
  assertValid(tx, fields)
  const id = insertLinkifier(tx, fields)
  announce(tx)
  return id
}

/** @throws BadRequestError */
export function changeLinkifier(tx: Tx, id: number, fields: Fields): void {
  assertExists(tx, id)
  assertValid(tx, fields, id)
  updateLinkifier(tx, id, fields)
  announce(tx)
}

/** @throws BadRequestError */
export function removeLinkifier(tx: Tx, id: number): void {
  assertExists(tx, id)
  deleteLinkifierRow(tx, id)
  announce(tx)
}

/** @param ids all of them, in the order in which they are to apply. @throws BadRequestError */
export function orderLinkifiers(tx: Tx, ids: readonly number[]): void {
  const known = new Set(linkifiersOf(tx).map(({ id }) => id))
  if (ids.length !== known.size || new Set([...ids, ...known]).size !== known.size) {
    throw new BadRequestError('The ordered list must enumerate all existing linkifiers exactly once')
  }
  ids.forEach((id, sort_order) => updateLinkifier(tx, id, { sort_order }))
  announce(tx)
}

const announce = (tx: Tx): void =>
  tx.emit({ type: 'realm_linkifiers', realm_linkifiers: linkifiersOf(tx) }, { to: activeUserIds(tx) })

function assertExists(db: Reader, wanted: number): void {
  if (!linkifiersOf(db).some(({ id }) => id === wanted)) throw new BadRequestError('Linkifier not found.')
}

function assertValid(db: Reader, { pattern, url_template }: Fields, ownId?: number): void {
  if (linkifiersOf(db).some((other) => other.pattern === pattern && other.id !== ownId)) {
    throw new BadRequestError('A linkifier with this pattern already exists.')
  }
  const groups = groupNames(parsePattern(pattern))
  const variables = templateVariables(url_template)
  if (!variables) throw new BadRequestError('Invalid URL template.')
  for (const group of groups) {
    if (!variables.includes(group)) {
      throw new BadRequestError(`Group '${group}' in linkifier pattern is not present in URL template.`)
    }
  }
  for (const variable of variables) {
    if (!groups.includes(variable)) {
      throw new BadRequestError(`Group '${variable}' in URL template is not present in linkifier pattern.`)
    }
  }
  const sample = expandTemplate(url_template, Object.fromEntries(groups.map((group) => [group, 'x'])))
  if (!isSafeAddress(sample)) throw new BadRequestError('Invalid URL template.')
}

function parsePattern(pattern: string): RE2JS {
  let parsed: RE2JS
  try {
    parsed = compilePattern(pattern)
  } catch (error) {
    throw new BadRequestError(`Bad regular expression: ${error instanceof Error ? error.message : ''}`)
  }
  if (parsed.programSize() > MAX_PATTERN_SIZE)
    throw new BadRequestError('This regular expression is too large.')
  return parsed
}
