import { expect, test } from 'vitest'
import { diffHtml } from './html-diff.ts'

const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span>`
const come = (text: string) => `<span class="highlight_text_inserted">${text}</span>`

test.each([
  ['<p>same</p>', '<p>same</p>', '<p>same</p>'],
  ['<p>one two</p>', '<p>one three</p>', `<p>one ${gone('two')}${come('three')}</p>`],
  ['<p>one</p>', '<p>one two</p>', `<p>one${come(' two')}</p>`],
  ['<p>one two</p>', '<p>two</p>', `<p>${gone('one ')}two</p>`],
  ['<p>a</p>', '<p><strong>a</strong> b</p>', `<p><strong>a</strong>${come(' b')}</p>`],
  ['<p>1 &lt; 2</p>', '<p>1 &gt; 2</p>', `<p>1 ${gone('&lt;')}${come('&gt;')} 2</p>`],
  ['', '<p>new</p>', `<p>${come('new')}</p>`],
])('%j to %j', (older, newer, expected) => {
  expect(diffHtml(older, newer)).toBe(expected)
})

test('what is too long to compare is shown as replaced', () => {
  const [older, newer] = ['a ', 'b '].map((word) => `<p>${word.repeat(3000)}.</p>`)
  const diff = diffHtml(older ?? '', newer ?? '')
  expect(diff.startsWith('<p><span class="highlight_text_deleted">a a')).toBe(true)
  expect(diff.endsWith('</span> .</p>')).toBe(true)
})
