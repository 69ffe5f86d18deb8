/** What stands between fences: code, formulas, quotes and spoilers; the last two hold Markdown again. */
import hljs from 'highlight.js/lib/common'
import type { MarkdownIt } from 'markdown-it'
import type { StateBlock } from 'markdown-it'
import { escapeHtml } from './escape.ts'
import { mathHtml } from './math.ts'
import type { Rendering } from './rendering.ts'

/** Fences deeper than this are shown as code. */
const MAX_DEPTH = 8

interface Fence {
  marker: string
  info: string
}

function fenceAt(state: StateBlock, line: number): Fence | undefined {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const sign = state.src[start]
  if (sign !== '`' && sign !== '~') return undefined
  const [, marker, info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(state.src.slice(start, state.eMarks[line])) ?? []
  if (marker === undefined || (sign === '`' && info.includes('`'))) return undefined
  return { marker, info: info.trim() }
}

const holdsMarkdown = (info: string): boolean => /^(?:quote|spoiler)(?:\s|$)/.test(info)
const closes = (open: Fence, line: Fence): boolean =>
  line.info === '' && line.marker[0] === open.marker[0] && line.marker.length >= open.marker.length

/** The line that closes a fence; those opened and closed within it are passed over. `endLine` where none does. */
function closingLine(state: StateBlock, opening: Fence, startLine: number, endLine: number): number {
  const open = [opening]
  for (let line = startLine + 1; line < endLine; line += 1) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && (state.tShift[line] ?? 0) >= 0) {
      const isBlank = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0) >= (state.eMarks[line] ?? 0)
      if (!isBlank) return line
    }
    const fence = fenceAt(state, line)
    const innermost = open.at(-1)
    if (!fence || !innermost) continue
    if (closes(innermost, fence)) open.pop()
    else if (holdsMarkdown(innermost.info)) open.push(fence)
    if (open.length === 0) return line
  }
  return endLine
}

export function addFences(markdown: MarkdownIt): void {
  markdown.block.ruler.at(
    'fence',
    (state, startLine, endLine, silent) => {
      const fence = fenceAt(state, startLine)
      if (!fence) return false
      if (silent) return true
      const depth = Number(state.env['fences'] ?? 0)
      const nests = holdsMarkdown(fence.info) && depth < MAX_DEPTH
      const opening = nests ? fence : { ...fence, info: '' }
      const end = closingLine(state, opening, startLine, endLine)
      const next = Math.min(end + 1, endLine)
      // A line that ends the enclosing list or quote does not belong to the fence.
      const isClosed = end < endLine && fenceAt(state, end) !== undefined
      const after = isClosed ? next : end
      if (nests) {
        state.env['fences'] = depth + 1
        if (fence.info.startsWith('quote')) quote(state, startLine + 1, end)
        else spoiler(state, fence.info.slice('spoiler'.length).trim(), startLine + 1, end)
        state.env['fences'] = depth
      } else {
        const token = state.push(fence.info === 'math' ? 'math_block' : 'fence', '', 0)
        token.info = fence.info
        token.content = state.getLines(startLine + 1, end, state.sCount[startLine] ?? 0, true)
        token.markup = fence.marker
        token.block = true
      }
      state.line = after
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
  markdown.renderer.rules['fence'] = (tokens, index, _options, env) =>
    codeHtml(tokens[index]?.content ?? '', tokens[index]?.info ?? '', env as unknown as Rendering)
  markdown.renderer.rules['math_block'] = (tokens, index, _options, env) =>
    `<p>${mathHtml(tokens[index]?.content ?? '', env as unknown as Rendering, true)}</p>\n`
}

function quote(state: StateBlock, from: number, to: number): void {
  state.push('blockquote_open', 'blockquote', 1)
  within(state, from, to)
  state.push('blockquote_close', 'blockquote', -1)
}

function spoiler(state: StateBlock, header: string, from: number, to: number): void {
  const html = (content: string) => {
    state.push('own_html', '', 0).content = content
  }
  html('<div class="spoiler-block"><div class="spoiler-header">\n')
  if (header !== '') {
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = header
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  html('</div><div class="spoiler-content" aria-hidden="true">\n')
  within(state, from, to)
  html('</div></div>\n')
}

/** Parses some lines as blocks of their own. */
function within(state: StateBlock, from: number, to: number): void {
  const { lineMax, parentType, blkIndent } = state
  state.lineMax = to
  state.parentType = 'blockquote'
  state.level += 1
  state.md.block.tokenize(state, from, to)
  state.level -= 1
  state.lineMax = lineMax
  state.parentType = parentType
  state.blkIndent = blkIndent
}

function codeHtml(code: string, info: string, rendering: Rendering): string {
  const language = (/^[^\s{]+/.exec(info)?.[0] ?? rendering.lookups.codeLanguage).slice(0, 40)
  const label = language && ` data-code-language="${escapeHtml(language)}"`
  return `<div class="codehilite"${label}><pre><span></span><code>${highlight(code, language, rendering)}</code></pre></div>\n`
}

function highlight(code: string, language: string, rendering: Rendering): string {
  // The grammars' expressions take long for endless words, which are no code that anybody reads.
  const isReadable = code.length <= rendering.codeLeft && !/\S{150}|\s{150}/.test(code)
  if (!isReadable || !hljs.getLanguage(language)) return escapeHtml(code)
  rendering.codeLeft -= code.length
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}
