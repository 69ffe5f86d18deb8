// What a linkifier makes of a text, by the very code that the server runs. Loaded when somebody tries one.

import { compileLinkifiers, findLinkifiers } from '../../../server/contract-linkifiers.ts'

export type Piece = { text: string; url?: string }

/** The text in pieces, links among them; null for a pattern or template that is none. */
export function tryLinkifier(
  linkifier: { pattern: string; url_template: string },
  text: string,
): Piece[] | null {
  const set = compileLinkifiers([linkifier])
  if (set.length === 0) return null
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, url } of findLinkifiers(set, text, { linkifyLeft: 100_000 })) {
    if (start > at) pieces.push({ text: text.slice(at, start) })
    pieces.push({ text: text.slice(start, end), url })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}
