/** `:name:`, the characters themselves, and what people type for them, such as `:)`. */
import { codeOfEmoji, type Emoji, namesOfEmoji } from '../emoji-data.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownIt } from 'markdown-it'
import { type Rendering, renderingOf } from './rendering.ts'

const named = /:([-+\w]{1,60}):/y

export function addEmoji(markdown: MarkdownIt): void {
  markdown.inline.ruler.after('linkify', 'emoji', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x3a) return false
    named.lastIndex = state.pos
    const [syntax, name = ''] = named.exec(state.src) ?? []
    if (syntax === undefined) return false
    const emoji = renderingOf(state).lookups.emoji(name) ?? byName(name)
    if (!emoji) return false
    if (!silent) state.push('own_html', '', 0).content = emojiHtml(emoji)
    state.pos += syntax.length
    return true
  })
}

function byName(name: string): Emoji | undefined {
  const code = codeOfEmoji(name)
  return code === undefined
    ? undefined
    : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

function emojiHtml({ emoji_name, emoji_code, reaction_type, url }: Emoji & { url?: string }): string {
  const title = escapeHtml(emoji_name.replaceAll('_', ' '))
  const syntax = `:${escapeHtml(emoji_name)}:`
  return reaction_type === 'unicode_emoji'
    ? `<span aria-label="${title}" class="emoji emoji-${emoji_code}" role="img" title="${title}">${syntax}</span>`
    : `<img alt="${syntax}" class="emoji" src="${escapeHtml(url ?? '')}" title="${title}">`
}

/** A picture, with what may be joined to it: selectors, tones, keycaps, joiners and further pictures. */
const candidate =
  /(?:\p{RI}\p{RI}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{EMod}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]*)*)[\u{e0020}-\u{e007f}]*/gu

/** Codes of what emoticons stand for. */
const emoticons = new Map([
  [':)', '1f642'],
  ['(:', '1f642'],
  [':(', '1f641'],
  ['<3', '2764'],
  [':|', '1f610'],
  [':/', '1f615'],
  [';)', '1f609'],
  [':D', '1f600'],
  [':o', '1f62e'],
  [':O', '1f62e'],
  [':p', '1f61b'],
  [':P', '1f61b'],
])
const emoticon = /(?<!\S)(?:[:;]\)|\(:|<3|:[(|/DoOpP])(?!\S)/g
const candidateOrEmoticon = new RegExp(`${candidate.source}|${emoticon.source}`, 'gu')

/** The HTML of a text in which characters or emoticons are emoji; undefined where none is. */
export function emojiTextHtml(text: string, { lookups }: Rendering): string | undefined {
  // Nearly every text ends here.
  if (!/[\u0100-\uffff]/.test(text) && (!lookups.emoticons || text.search(emoticon) < 0)) return undefined
  let html = ''
  let end = 0
  for (const match of text.matchAll(lookups.emoticons ? candidateOrEmoticon : candidate)) {
    const code = emoticons.get(match[0])
    const emoji = code === undefined ? characterEmoji(match[0]) : byCode(code)
    if (!emoji) continue
    html += escapeHtml(text.slice(end, match.index)) + emojiHtml(emoji)
    end = match.index + match[0].length
  }
  return end === 0 ? undefined : html + escapeHtml(text.slice(end))
}

function characterEmoji(sequence: string): Emoji | undefined {
  // Text such as ™ is meant as a picture only where a selector says so.
  if ([...sequence].length === 1 && !/\p{Emoji_Presentation}/u.test(sequence)) return undefined
  const codes = [...sequence]
    .map((character) => character.codePointAt(0)?.toString(16) ?? '')
    .filter((code) => code !== 'fe0f')
  return byCode(codes.map((code) => code.padStart(4, '0')).join('-'))
}

function byCode(emoji_code: string): Emoji | undefined {
  const [emoji_name] = namesOfEmoji(emoji_code)
  return emoji_name === undefined ? undefined : { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }
}
