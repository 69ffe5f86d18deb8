/** Renders messages and descriptions. The HTML can carry no script: raw HTML stays text, and addresses are checked. */
import MarkdownIt from 'markdown-it'
import { addEmoji } from './markdown/emoji.ts'
import { addFences } from './markdown/fences.ts'
import { addLinks, isSafeAddress } from './markdown/links.ts'
import { findLinkifiers, type LinkifierSet } from './markdown/linkifiers.ts'
import { addMath } from './markdown/math.ts'
import { addMentions } from './markdown/mentions.ts'
import { type Findings, type Lookups, noLookups, renderingOf, startRendering } from './markdown/rendering.ts'
import { addTimes } from './markdown/times.ts'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 40 })
// In a chat a line of dashes is no heading, spaces in front are no code, and nothing may vanish from sight.
markdown.disable(['lheading', 'code', 'reference', 'html_block', 'html_inline'])

markdown.linkify.set({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true })
// No link comes of them, and each would be looked for up to the end of its line.
markdown.linkify.add('ftp:', null).add('//', null)
// Two countries' domains are far more often the ends of file names.
const { linkify } = markdown
const normalize = linkify.normalize.bind(linkify)
linkify.normalize = (match) => {
  normalize(match)
  if (match.schema === '' && /\.(?:md|py)$/i.test(match.text)) match.url = ''
}
// A short row is filled up to the width of its table: a few characters could make thousands of cells.
const MAX_CELLS = 3000
const [table] = markdown.block.ruler.getRules('')
markdown.block.ruler.at(
  'table',
  (state, start, end, silent) => {
    const columns = state.src.slice(state.bMarks[start], state.eMarks[start]).split('|').length
    return columns * (end - start) <= MAX_CELLS && (table?.(state, start, end, silent) ?? false)
  },
  { alt: ['paragraph', 'reference'] },
)

addLinks(markdown)
addFences(markdown)
addMath(markdown)
addMentions(markdown)
addTimes(markdown)
addEmoji(markdown)

// Underscores belong to names: they stress nothing.
markdown.inline.ruler.before('emphasis', 'underscores', (state, silent) => {
  const [run] = /_*/y[Symbol.match](state.src.slice(state.pos, state.pos + 100)) ?? ['']
  if (!run) return false
  if (!silent) state.pending += run
  state.pos += run.length
  return true
})
// Within a quote, nobody is mentioned anew.
markdown.core.ruler.at('inline', (state) => {
  const rendering = renderingOf(state)
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes += 1
    if (token.type === 'blockquote_close') quotes -= 1
    rendering.isQuoted = quotes > 0
    if (token.type === 'inline')
      markdown.inline.parse(token.content, markdown, state.env, token.children ?? [])
  }
})

const { rules } = markdown.renderer
rules['own_html'] = (tokens, index) => tokens[index]?.content ?? ''
rules['s_open'] = () => '<del>'
rules['s_close'] = () => '</del>'
rules['paragraph_close'] = (tokens, index, options, _env, self) =>
  self.renderToken(tokens, index, options) + previewsAt(tokens[index]?.meta)

const previewsAt = (meta: unknown): string => (meta as { previews?: string } | null)?.previews ?? ''

/** Renders content, and tells what is in it. The same content and lookups give the same HTML. */
export function renderContent(content: string, lookups: Lookups): Findings {
  const rendering = startRendering(lookups)
  rendering.html = markdown.render(content.replace(/\p{Cs}/gu, '\ufffd'), rendering).trimEnd()
  return rendering
}

/** @returns HTML without a line break at its end */
export const renderMarkdown = (content: string): string => renderContent(content, noLookups).html

/** The links in a topic's name: what the organization's patterns find there, and addresses. */
export function linksInTopic(topic: string, linkifiers: LinkifierSet): { text: string; url: string }[] {
  const found = findLinkifiers(linkifiers, topic, { linkifyLeft: 20_000 }).map(({ start, end, url }) => ({
    start,
    text: topic.slice(start, end),
    url: markdown.normalizeLink(url),
  }))
  const addresses = (markdown.linkify.match(topic) ?? []).map(({ index, raw, url }) => ({
    start: index,
    text: raw,
    url: markdown.normalizeLink(url),
  }))
  return [...found, ...addresses]
    .filter(({ url }) => isSafeAddress(url))
    .sort((a, b) => a.start - b.start)
    .map(({ text, url }) => ({ text, url }))
}
