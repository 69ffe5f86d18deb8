/** How fast a message becomes HTML. */
import MarkdownIt from 'markdown-it'
import { renderMarkdown } from '../server/services/markdown.ts'
import { hostilePieces, repeated } from '../server/test/hostile-markdown.ts'
import type { Figure } from './lib/figures.ts'
import { messageText } from './lib/parley.ts'
import { inChild } from './lib/processes.ts'

export const title = 'Markdown to HTML; bare: markdown-it without any of our rules'

const kinds: Record<string, string> = {
  'a typical message': messageText(7),
  'a message with everything': [
    '**Release** :tada: see #4711, $$e^x$$ and `code`',
    '> quoted, with a [link](https://example.com/a)',
    '- one\n- two',
    '```js\nconst answer = await fetch("/api")\n```',
    '| a | b |\n|---|---|\n| 1 | 2 |',
  ].join('\n\n'),
}

export const measure = (): Promise<Figure[]> => inChild(import.meta.url, renderInTurn, undefined)

export function renderInTurn(): Figure[] {
  const plain = new MarkdownIt({ linkify: true, breaks: true })
  const figures = Object.entries(kinds).map(
    ([name, content]): Figure => ({
      name,
      unit: 'µs',
      parley: microseconds(() => renderMarkdown(content)),
      bare: microseconds(() => plain.render(content)),
    }),
  )
  const hostile: Figure = {
    name: `10,000 characters made to be slow: the slowest of ${hostilePieces.length} kinds`,
    unit: 'ms',
    parley: slowest((content) => renderMarkdown(content)),
    bare: slowest((content) => plain.render(content)),
  }
  return [...figures, hostile]
}

/** In milliseconds; of each text the fastest of three times, since the first also compiles. */
function slowest(act: (content: string) => unknown): number {
  const times = hostilePieces.map((piece) => {
    const content = repeated(piece)
    return Math.min(
      ...[1, 2, 3].map(() => {
        const begun = performance.now()
        act(content)
        return performance.now() - begun
      }),
    )
  })
  return Math.max(...times)
}

/** Of one call, once the compiler has done what it does. */
function microseconds(act: () => unknown): number {
  const forMs = (ms: number) => {
    const begun = performance.now()
    let count = 0
    for (; performance.now() - begun < ms; count += 1) act()
    return ((performance.now() - begun) / count) * 1000
  }
  forMs(1000)
  return forMs(2000)
}
