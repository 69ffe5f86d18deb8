/** Search hits, marked in the HTML of messages and topics. */
import type { Reader } from '../../../db/transaction.ts'
import { type Phrase, type Token, tokenize } from './phrases.ts'

const BEFORE = '<span class="highlight">'
const AFTER = '</span>'

/** @returns each HTML with the words of the phrases marked, wherever they are in its text */
export function highlight(db: Reader, htmls: readonly string[], phrases: readonly Phrase[]): string[] {
  if (phrases.length === 0) return [...htmls]
  const tokens = tokenize(db, htmls.map(blankMarkup))
  return htmls.map((html, index) => mark(html, hits(tokens[index] ?? [], phrases)))
}

/**
 * HTML with everything that is not text replaced by as many spaces, so that a word is where it was. Formulas are left
 * out: MathML allows no span in itself.
 */
export function blankMarkup(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    const char = html[at]
    let end = at + 1
    if (char === '<') end = isMath(html, at) ? endOfMath(html, at) : endOfTag(html, at)
    else if (char === '&') end = endOfEntity(html, at)
    text += char === '<' || char === '&' ? ' '.repeat(end - at) : char
    at = end
  }
  return text
}

const isMath = (html: string, at: number): boolean =>
  html.startsWith('<math', at) && /[\s>]/.test(html[at + 5] ?? '')

function endOfMath(html: string, at: number): number {
  const close = html.indexOf('</math>', at)
  return close < 0 ? html.length : close + '</math>'.length
}

/** Behind the tag's bracket; one in the quotes of an attribute does not close it. */
function endOfTag(html: string, at: number): number {
  let quote = ''
  for (let i = at + 1; i < html.length; i += 1) {
    const char = html[i] ?? ''
    if (quote) quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return i + 1
  }
  return html.length
}

function endOfEntity(html: string, at: number): number {
  let i = at + 1
  while (/[#0-9a-z]/i.test(html[i] ?? '')) i += 1
  return html[i] === ';' ? i + 1 : at + 1
}

/** The tokens that are part of a phrase. */
function hits(tokens: readonly Token[], phrases: readonly Phrase[]): Token[] {
  const found = new Set<Token>()
  tokens.forEach((_token, index) => {
    for (const phrase of phrases) {
      const here = tokens.slice(index, index + phrase.length)
      if (phrase.every((word, i) => here[i]?.word === word)) for (const token of here) found.add(token)
    }
  })
  return tokens.filter((token) => found.has(token))
}

function mark(html: string, found: readonly Token[]): string {
  if (found.length === 0) return html
  // The tokenizer counts bytes.
  const bytes = Buffer.from(html)
  const parts: string[] = []
  let done = 0
  for (const { start, end } of found) {
    parts.push(bytes.toString('utf8', done, start), BEFORE, bytes.toString('utf8', start, end), AFTER)
    done = end
  }
  parts.push(bytes.toString('utf8', done))
  return parts.join('')
}
