/** Links: which addresses may be linked to, what they say of the content, and pictures shown below them. */
import type { MarkdownIt } from 'markdown-it'
import type { Token } from 'markdown-it'
import { emojiTextHtml } from './emoji.ts'
import { escapeHtml } from './escape.ts'
import { findLinkifiers } from './linkifiers.ts'
import { type Lookups, type Rendering, renderingOf } from './rendering.ts'

/** Schemes that a link may have; an address of this server begins with a slash, or a number sign. */
export const isSafeAddress = (address: string): boolean =>
  /^(?:https?:|mailto:|tel:|[/#])/i.test(address.trim())

/** The part of an upload's address after `/user_uploads/`; undefined for what is elsewhere. */
export function uploadPath(address: string, origins: readonly string[]): string | undefined {
  const origin = origins.find((one) => address.startsWith(`${one}/`))
  const path = origin === undefined ? address : address.slice(origin.length)
  const encoded = /^(?:\/r\/[^/]+)?\/user_uploads\/(\d+\/[^?#]+)/.exec(path)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

const imageStart = /!\[[^\]\n]{0,200}\]\(\S/y

/** `[site](www.example.com)` is meant as an address of the web, `[us](office@example.com)` as one of mail. */
function withScheme(address: string): string {
  if (address === '' || /^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(address)) return address
  return /^[^/?#]+@/.test(address) ? `mailto:${address}` : `http://${address}`
}

export function addLinks(markdown: MarkdownIt): void {
  const normalizeLink = markdown.normalizeLink.bind(markdown)
  markdown.normalizeLink = (address) => normalizeLink(withScheme(address.trim()))
  markdown.validateLink = isSafeAddress
  markdown.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer')
    return self.renderToken(tokens, index, options)
  }
  // A picture of this server shows up below its link; no other is ever fetched by looking at a message.
  markdown.inline.ruler.at('image', (state) => {
    const { src, pos } = state
    if (src.charCodeAt(pos) !== 0x21) return false
    imageStart.lastIndex = pos
    if (!imageStart.test(src)) return false
    state.pos = pos + 1
    return true
  })
  markdown.core.ruler.push('links', (state) => {
    const rendering = renderingOf(state)
    state.tokens = state.tokens.flatMap((token) => {
      if (token.type !== 'inline' || !token.children) return [token]
      token.children = linkText(markdown, token.children, rendering)
      return [token]
    })
    addPreviews(state.tokens, rendering)
  })
}

/** Applies linkifiers and shows emoji in what is plain text, and notes every link. */
function linkText(markdown: MarkdownIt, tokens: Token[], rendering: Rendering): Token[] {
  let depth = 0
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') {
      depth += 1
      noteLink(String(token.attrGet('href')), rendering)
    }
    if (token.type === 'link_close') depth -= 1
    if (token.type !== 'text') return [token]
    const html =
      depth === 0
        ? linkifiedHtml(markdown, token.content, rendering)
        : emojiTextHtml(token.content, rendering)
    if (html === undefined) return [token]
    token.type = 'own_html'
    token.content = html
    return [token]
  })
}

function linkifiedHtml(markdown: MarkdownIt, text: string, rendering: Rendering): string | undefined {
  const { linkifiers } = rendering.lookups
  const matches = linkifiers?.length ? findLinkifiers(linkifiers, text, rendering) : []
  if (matches.length === 0) return emojiTextHtml(text, rendering)
  let html = ''
  let end = 0
  const plain = (to: number) =>
    emojiTextHtml(text.slice(end, to), rendering) ?? escapeHtml(text.slice(end, to))
  for (const match of matches) {
    const address = markdown.normalizeLink(match.url)
    if (!isSafeAddress(address)) continue
    noteLink(address, rendering)
    html += plain(match.start)
    html += `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${escapeHtml(text.slice(match.start, match.end))}</a>`
    end = match.end
  }
  return html + plain(text.length)
}

function noteLink(address: string, rendering: Rendering): void {
  rendering.hasLink = true
  const path = uploadPath(address, rendering.lookups.origins)
  if (path !== undefined) rendering.uploadPathIds.add(path)
}

const isPicture = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i

/** Below each paragraph, the pictures of this server that it links to. */
function addPreviews(tokens: Token[], rendering: Rendering): void {
  let quotes = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token?.type === 'blockquote_open') quotes += 1
    if (token?.type === 'blockquote_close') quotes -= 1
    if (token?.type !== 'inline' || !token.children) continue
    const previews = token.children.flatMap((child, at) => {
      if (child.type !== 'link_open') return []
      const href = String(child.attrGet('href'))
      const path = uploadPath(href, rendering.lookups.origins)
      if (path === undefined || !isPicture.test(path)) return []
      rendering.hasImage = true
      if (!rendering.lookups.previews || quotes > 0 || rendering.previewsLeft <= 0) return []
      rendering.previewsLeft -= 1
      const title = token.children?.[at + 1]?.type === 'text' ? (token.children[at + 1]?.content ?? '') : ''
      return [
        `<div class="message_inline_image"><a href="${escapeHtml(href)}" rel="noopener noreferrer" title="${escapeHtml(title)}">${preview(path, rendering.lookups)}</a></div>\n`,
      ]
    })
    const close = tokens[index + 1]
    if (previews.length > 0 && close) close.meta = { previews: previews.join('') }
  }
}

/** Clients take another of the small forms by its name, at the same address. */
function preview(path: string, { picture }: Lookups): string {
  const file = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')
  const known = picture(path)
  if (!known) return `<img alt="" src="/user_uploads/${escapeHtml(file)}">`
  const source = `/user_uploads/thumbnail/${file}/${known.small}`
  return `<img alt="" data-original-content-type="${escapeHtml(known.contentType)}" src="${escapeHtml(source)}">`
}
