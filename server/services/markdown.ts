/** Renders messages and descriptions. The HTML can carry no script: raw HTML stays text, and addresses are checked. */
import hljs from 'highlight.js/lib/common'
import MarkdownIt from 'markdown-it'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

// A picture is shown when it was uploaded here, never fetched from somewhere by looking at a message.
markdown.disable('image')
markdown.linkify.set({ fuzzyEmail: false })
markdown.validateLink = (address) => /^(https?:|mailto:|tel:|[/#])/i.test(address.trim())

markdown.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index]
  const code = token?.content ?? ''
  const language = token?.info.trim().split(/\s+/)[0] ?? ''
  const body = hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : markdown.utils.escapeHtml(code)
  const label = language && ` data-code-language="${markdown.utils.escapeHtml(language)}"`
  return `<div class="codehilite"${label}><pre><code>${body}</code></pre></div>\n`
}

/** @returns HTML without a line break at its end */
export const renderMarkdown = (content: string): string => markdown.render(content).trimEnd()
