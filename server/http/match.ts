/** Finds the route of a request. */
import { z } from 'zod'
import type { Route } from './define-route.ts'
import { BadRequestError, MethodNotAllowedError, NotFoundError } from './errors.ts'

interface Pattern {
  route: Route
  segments: readonly Segment[]
}
type Segment = { literal: string } | { name: string; numeric: boolean; isRest: boolean }

export interface Match {
  route: Route
  segments: ReadonlyMap<string, string>
}

/**
 * Builds the lookup for a table of routes. Where several fit, literal segments win over parameters
 * (`/users/me` over `/users/{user_id}`), and for digits a numeric parameter over a text one.
 */
export function createMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  const patterns = routes.map(compile)
  return (method, path) => {
    const parts = path.split('/').filter((part) => part !== '')
    const fitting = patterns
      .filter((pattern) => fits(pattern, parts))
      .sort((a, b) => weigh(b, parts).localeCompare(weigh(a, parts)))
    const best = fitting.find((pattern) => pattern.route.method === method)
    if (!best) {
      if (fitting.length === 0) throw new NotFoundError('There is no such address')
      throw new MethodNotAllowedError([...new Set(fitting.map(({ route }) => route.method))].sort())
    }
    return { route: best.route, segments: extract(best, parts) }
  }
}

function compile(route: Route): Pattern {
  const segments = route.path
    .split('/')
    .filter((part) => part !== '')
    .map((part): Segment => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined) return { literal: part }
      const { schema, isRest = false } = route.params[name] ?? {}
      return { name, numeric: schema instanceof z.ZodNumber, isRest }
    })
  return { route, segments }
}

const fits = ({ segments }: Pattern, parts: readonly string[]): boolean =>
  (segments.length === parts.length || (segments.length < parts.length && takesRest(segments.at(-1)))) &&
  segments.every((segment, i) => !('literal' in segment) || segment.literal === parts[i])

const takesRest = (segment: Segment | undefined): boolean =>
  segment !== undefined && 'isRest' in segment && segment.isRest

/** One digit per segment, so that an earlier segment counts more: literal, then the right kind of parameter. */
const weigh = ({ segments }: Pattern, parts: readonly string[]): string =>
  segments
    .map((segment, i) => {
      if ('literal' in segment) return '2'
      return segment.numeric === /^\d+$/.test(parts[i] ?? '') ? '1' : '0'
    })
    .join('')

function extract({ segments }: Pattern, parts: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  segments.forEach((segment, i) => {
    if (!('name' in segment)) return
    const own = segment.isRest ? parts.slice(i) : parts.slice(i, i + 1)
    values.set(segment.name, own.map(decodeSegment).join('/'))
  })
  return values
}

/** Decoded only now, so that an escaped slash stays inside its segment. @throws BadRequestError */
export function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new BadRequestError('The address is not encoded correctly')
  }
}
