import { expect, test } from 'vitest'
import { hostilePieces, repeated } from '../test/hostile-markdown.ts'
import { linksInTopic, renderContent, renderMarkdown } from './markdown.ts'
import { compileLinkifiers } from './markdown/linkifiers.ts'
import type { Lookups } from './markdown/rendering.ts'

const lookups: Lookups = {
  user: (name, id) =>
    name === 'Ann' || id === 5
      ? { id: 5, full_name: 'Ann', is_active: 1 }
      : name === 'Gone'
        ? { id: 6, full_name: 'Gone', is_active: 0 }
        : name === '<b>"&'
          ? { id: 8, full_name: '<b>"&', is_active: 1 }
          : undefined,
  group: (name) => (name === 'crew' ? { id: 7, name: '<crew>' } : undefined),
  channel: (name) => (name === 'design' || name === '"<x>' ? { id: 9, name } : undefined),
  emoji: (name) =>
    name === 'boat'
      ? { emoji_name: 'boat', emoji_code: '3', reaction_type: 'realm_emoji', url: '/boat.png' }
      : undefined,
  emoticons: false,
  linkifiers: compileLinkifiers([
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' },
    { pattern: 'run:(?P<what>.+)', url_template: '{+what}' },
    { pattern: 'raw:(?P<what>.+)', url_template: 'https://x.example/{+what}' },
  ]),
  previews: true,
  picture: (pathId) =>
    pathId === '1/ab/"&.png' ? { contentType: 'image/png', small: '840x560.webp' } : undefined,
  codeLanguage: '',
  origins: ['http://chat.example'],
}
const render = (content: string) => renderContent(content, lookups)
const html = (content: string) => render(content).html

const dialect: [string, string][] = [
  ['a\nb', '<p>a<br>\nb</p>'],
  ['*i* **b** ~~s~~ _u_ a_b_c', '<p><em>i</em> <strong>b</strong> <del>s</del> _u_ a_b_c</p>'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['> q', '<blockquote>\n<p>q</p>\n</blockquote>'],
  ['```quote\nq\n```', '<blockquote>\n<p>q</p>\n</blockquote>'],
  ['# h\n\n---', '<h1>h</h1>\n<hr>'],
  ['a\n---', '<p>a</p>\n<hr>'],
  ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
  ['```\nx < y\n```', '<div class="codehilite"><pre><span></span><code>x &lt; y\n</code></pre></div>'],
  [
    '~~~js\nlet a\n~~~',
    '<div class="codehilite" data-code-language="js"><pre><span></span><code><span class="hljs-keyword">let</span> a\n</code></pre></div>',
  ],
  [
    '```spoiler The *end*\nhidden\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>',
  ],
  ['@**Ann**', '<p><span class="user-mention" data-user-id="5">@Ann</span></p>'],
  ['@**Ann|5**', '<p><span class="user-mention" data-user-id="5">@Ann</span></p>'],
  ['@_**Ann**', '<p><span class="user-mention silent" data-user-id="5">Ann</span></p>'],
  ['@**Gone**', '<p><span class="user-mention silent" data-user-id="6">Gone</span></p>'],
  ['@**Nobody**', '<p>@<strong>Nobody</strong></p>'],
  ['`@**Ann**`', '<p><code>@**Ann**</code></p>'],
  ['@*crew*', '<p><span class="user-group-mention" data-user-group-id="7">@&lt;crew&gt;</span></p>'],
  ['@_*crew*', '<p><span class="user-group-mention silent" data-user-group-id="7">&lt;crew&gt;</span></p>'],
  ['@**all**', '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>'],
  ['@**topic**', '<p><span class="topic-mention">@topic</span></p>'],
  ['#**design**', '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-design">#design</a></p>'],
  ['#**secret**', '<p>#<strong>secret</strong></p>'],
  [
    '#**design>a b.c**',
    '<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-design/topic/a.20b.2Ec">#design &gt; a b.c</a></p>',
  ],
  [
    '#**design>a@12**',
    '<p><a class="message-link" href="/#narrow/channel/9-design/topic/a/near/12">#design &gt; a @ 💬</a></p>',
  ],
  [
    ':tada:',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  ],
  ['🎉', '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>'],
  [':boat: :nope:', '<p><img alt=":boat:" class="emoji" src="/boat.png" title="boat"> :nope:</p>'],
  ['<time:1700000000>', '<p><time datetime="2023-11-14T22:13:20Z">1700000000</time></p>'],
  [
    '<time:2026-11-21T10:00+02:00>',
    '<p><time datetime="2026-11-21T08:00:00Z">2026-11-21T10:00+02:00</time></p>',
  ],
  ['<time:soon>', '<p><span class="timestamp-error">Invalid time format: soon</span></p>'],
  ['[x](https://a.example)', '<p><a href="https://a.example" rel="noopener noreferrer">x</a></p>'],
  [
    'a@b.example.org',
    '<p><a href="mailto:a@b.example.org" rel="noopener noreferrer">a@b.example.org</a></p>',
  ],
  [
    '[x](www.a.example) [y](a@b.example) [z](a.example/p?q=1)',
    '<p><a href="http://www.a.example" rel="noopener noreferrer">x</a> <a href="mailto:a@b.example" rel="noopener noreferrer">y</a> <a href="http://a.example/p?q=1" rel="noopener noreferrer">z</a></p>',
  ],
  ['[x](localhost:1) [y](javascript:1)', '<p>[x](localhost:1) [y](javascript:1)</p>'],
  [
    'https://me:x@a.example/',
    '<p><a href="https://me:x@a.example/" rel="noopener noreferrer">https://me:x@a.example/</a></p>',
  ],
  ['README.md main.py', '<p>README.md main.py</p>'],
  ['ftp://a.example //a.example', '<p>ftp://a.example //a.example</p>'],
  ['see #12, x#3', '<p>see <a href="https://tickets.example/12" rel="noopener noreferrer">#12</a>, x#3</p>'],
  [
    '![a](/user_uploads/1/ab/x.png)',
    '<p><a href="/user_uploads/1/ab/x.png" rel="noopener noreferrer">a</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ab/x.png" rel="noopener noreferrer" title="a"><img alt="" src="/user_uploads/1/ab/x.png"></a></div>',
  ],
  [
    '[a](/user_uploads/1/ab/%22&.png)',
    '<p><a href="/user_uploads/1/ab/%22&amp;.png" rel="noopener noreferrer">a</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ab/%22&amp;.png" rel="noopener noreferrer" title="a"><img alt="" data-original-content-type="image/png" src="/user_uploads/thumbnail/1/ab/%22%26.png/840x560.webp"></a></div>',
  ],
  [
    'https://elsewhere.example/x.png',
    '<p><a href="https://elsewhere.example/x.png" rel="noopener noreferrer">https://elsewhere.example/x.png</a></p>',
  ],
  ['$$\\nope$$', '<p><span class="katex-error" title="Undefined control sequence: \\nope">\\nope</span></p>'],
  ['one $$ two', '<p>one $$ two</p>'],
]

test.each(dialect)('%j', (content, expected) => {
  expect(html(content)).toBe(expected)
  expect(html(content)).toBe(expected)
})

test('emoticons are emoji where the writer wants that, standing alone in text', () => {
  const withEmoticons = (content: string) => renderContent(content, { ...lookups, emoticons: true }).html
  const emoji = (code: string, name: string) =>
    `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`
  expect(html('hi :) <3')).toBe('<p>hi :) &lt;3</p>')
  expect(withEmoticons('hi :) <3\n:D')).toBe(
    `<p>hi ${emoji('1f642', 'slightly_smiling_face')} ${emoji('2764', 'heart')}<br>\n${emoji('1f600', 'grinning')}</p>`,
  )
  expect(withEmoticons('`:)` a:) :)) http://x')).not.toContain('emoji')
  expect(withEmoticons('x :( 🎉')).toContain('emoji-1f641')
})

test('formulas are set, in line and on lines of their own', () => {
  expect(html('a $$x^2$$ b')).toContain('<span class="katex">')
  expect(html('```math\n\\frac{a}{b}\n```')).toContain('<span class="katex-display">')
})

test('tables', () => {
  expect(html('|a|b|\n|-|:-:|\n|1|2|')).toContain('<td style="text-align:center">2</td>')
})

test('a quote may hold code, and code a fence', () => {
  expect(html('```quote\na\n```py\n1\n```\nb\n```\nc')).toMatch(
    /^<blockquote>.*<p>b<\/p>\n<\/blockquote>\n<p>c<\/p>$/s,
  )
  expect(html('````\n```\n````')).toContain('<code>```\n</code>')
})

test('what is found: mentions that are not silent, links, pictures, uploads', () => {
  const found = render(
    '@**Ann** @_**Ann** @*crew* @**all** @**topic** [f](http://chat.example/user_uploads/1/ab/a%20b.pdf)',
  )
  expect([...found.userIds, ...found.groupIds, ...found.wildcards]).toEqual([5, 7, 'channel', 'topic'])
  expect([...found.uploadPathIds]).toEqual(['1/ab/a b.pdf'])
  expect(found).toMatchObject({ hasLink: true, hasImage: false })
  expect(render('/user_uploads/x').hasLink).toBe(false)
  const quoted = render('> @**Ann** @**all**\n\n```quote\n@*crew*\n```')
  expect([...quoted.userIds, ...quoted.groupIds, ...quoted.wildcards]).toEqual([])
  expect(quoted.html).toContain('class="user-mention silent"')
})

test('links in topics', () => {
  expect(linksInTopic('fix #12 www.example.com', lookups.linkifiers ?? [])).toEqual([
    { text: '#12', url: 'https://tickets.example/12' },
    { text: 'www.example.com', url: 'http://www.example.com' },
  ])
  expect(linksInTopic('run:javascript:alert(1)', lookups.linkifiers ?? [])).toEqual([])
})

/** Everything that rendered content may be made of. */
const elements = new Set(
  `p br em strong del ul ol li blockquote h1 h2 h3 h4 h5 h6 hr code pre div span a img table thead tbody tr th td time
   math semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr
   mtd mstyle mpadded mphantom menclose annotation svg path line`.split(/\s+/),
)
const attributes = new Set(
  `class href rel title data-user-id data-user-group-id data-stream-id data-code-language aria-label aria-hidden role alt
   src start style datetime xmlns encoding display mathvariant stretchy fence separator accent accentunder lspace rspace
   scriptlevel displaystyle minsize maxsize columnalign columnspacing rowspacing linethickness mathcolor mathbackground
   width height depth voffset notation viewBox preserveAspectRatio d x1 x2 y1 y2 stroke-width mathsize columnlines
   rowlines form symmetric movablelimits largeop`.split(/\s+/),
)

/** Reads HTML as a browser's tokenizer would where it matters, and names what should not be there. */
function faults(content: string): string[] {
  const found: string[] = []
  const output = html(content)
  const tag = /<(\/?)([^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g
  if (/<(?![a-z/])/.test(output.replace(tag, ''))) found.push('a stray <')
  for (const [, , name = '', rest = ''] of output.matchAll(tag)) {
    if (!elements.has(name)) found.push(`element ${name}`)
    const plain = rest.replace(/\s+([\w-]+)(?:="([^"]*)")?/g, (_whole, attribute: string, value = '') => {
      if (!attributes.has(attribute)) found.push(`attribute ${attribute}`)
      const decoded = String(value)
        .replace(/&#x([0-9a-f]+);?/gi, (_m, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
        .replace(/&#(\d+);?/g, (_m, number: string) => String.fromCodePoint(Number(number)))
        .replace(/&amp;/g, '&')
      if (attribute === 'href' && !/^(?:https?:|mailto:|tel:|[/#])/i.test(decoded))
        found.push(`href ${decoded}`)
      if (attribute === 'src' && !/^\/(?!\/)/.test(decoded)) found.push(`src ${decoded}`)
      if (attribute === 'style' && /url|expression|javascript|@import|position:\s*fixed/i.test(decoded))
        found.push(`style ${decoded}`)
      return ''
    })
    if (plain.replaceAll('/', '').trim() !== '') found.push(`rest ${plain}`)
  }
  return found
}

const script = 'javascript:alert(1)'
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '</p></div><script>',
  '<!-- --><iframe src="javascript:alert(1)">',
  '<style>*{background:url(//evil)}</style>',
  `[x](${script})`,
  `[x](<${script}>)`,
  `[x]( ${script} )`,
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](\u00a0javascript:alert(1))',
  '[x](%6Aavascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](data:image/svg+xml,<svg onload=alert(1)>)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://x)',
  '[x](view-source:javascript:alert(1))',
  '[x](https://a.example "t\\" onmouseover=\\"alert(1)")',
  "[x](https://a.example 'onmouseover=alert(1)')",
  '[x](https://a.example/"onmouseover="alert(1))',
  "[x](https://a.example/'onmouseover='alert(1))",
  '[x](https://a.example/<script>)',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  `[![y](${script})](${script})`,
  `![x](${script})`,
  '![x" onerror="alert(1)](/user_uploads/1/a.png)',
  '![x](/user_uploads/1/a.png"onerror="alert(1).png)',
  "![x](/user_uploads/1/a'onerror='alert(1).png)",
  '![x](/user_uploads/1/%22onerror=%22.png)',
  '![x](//evil.example/user_uploads/1/a.png)',
  '[x](/user_uploads/1/../../../a.png)',
  '[x](\\\\evil.example)',
  `<${script}>`,
  `<https://a.example/"onclick="alert(1)>`,
  'https://a.example/"onclick="alert(1)',
  "http://a.example/'><script>alert(1)</script>",
  `www.a.example/<script>`,
  'a"onclick=alert(1)@b.example.org',
  `[x]\n\n[x]: ${script}`,
  `@**<b>"&**`,
  '@**Ann"><script>**',
  '@**Ann|5"><script>**',
  '@*crew"><script>*',
  '#**"<x>**',
  '#**design>"><script>alert(1)</script>**',
  '#**design>\'"onclick=alert(1)**',
  '#**design>\ud800**',
  '\ud800 \udfff',
  ':<script>: :"onload=": :tada:"><script>:',
  '<time:"><script>alert(1)</script>>',
  '<time:2026-01-01"onclick="x>',
  '<time:<img src=x>',
  '`<script>`',
  '``` "><script>alert(1)</script>\nx\n```',
  '```js" onclick="alert(1)\nx\n```',
  '~~~"><img/src=x/onerror=alert(1)>\nx\n~~~',
  '```html\n<script>alert(1)</script>\n```',
  '```xml\n<!--<script>alert(1)</script>-->\n```',
  '```spoiler <script>alert(1)</script>\n<script>\n```',
  `\`\`\`spoiler [x](${script})\nx\n\`\`\``,
  '```quote\n<script>alert(1)</script>\n```',
  '> <script>alert(1)</script>',
  `$$\\href{${script}}{x}$$`,
  `$$\\url{${script}}$$`,
  `$$\\includegraphics[alt=x]{${script}}$$`,
  '$$\\htmlData{onclick=alert(1)}{x}$$',
  '$$\\htmlClass{x" onclick="alert(1)}{x}$$',
  '$$\\htmlId{x}{x} \\htmlStyle{background:url(//evil)}{x}$$',
  '$$\\text{<script>alert(1)</script>}$$',
  '$$<script>alert(1)</script>$$',
  '$$\\color{red" onclick="alert(1)}{x}$$',
  '$$\\textcolor{url(//evil)}{x}$$',
  '$$\\unknown<img src=x onerror=alert(1)>$$',
  '$$\\def\\x{\\x\\x}\\x$$',
  '$$\\kern999999em x$$',
  '```math\n</span><script>alert(1)</script>\n```',
  'run:javascript:alert(1)',
  'run:JAVASCRIPT:alert(1)',
  'run:data:text/html,<script>alert(1)</script>',
  'run:\u0001javascript:alert(1)',
  'run:https://a.example/"onclick="alert(1)',
  'raw:"><script>alert(1)</script>',
  "raw:'onmouseover='alert(1)",
  '|<script>|"|\n|-|-|\n|<img src=x onerror=alert(1)>|x|',
  `|[x](${script})|\n|-|\n|${script}|`,
  '# <script>alert(1)</script>',
  '- <script>\n  - <img src=x onerror=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\<script>alert(1)</script>',
  '**<script>**alert(1)**</script>**',
  '*<img src="*" onerror="alert(1)">*',
  '[a](https://x.example)<script>[b](https://y.example)',
  '\u202e<script>\u2028alert(1)\u2029</script>',
  '🎉<script>alert(1)</script>🎉',
  '/me <script>alert(1)</script>',
  '/poll <script>alert(1)</script>\n<img src=x onerror=alert(1)>',
]

test.each(hostile)('no script out of %j', (content) => {
  expect(faults(content)).toEqual([])
  expect(faults(`> ${content}`)).toEqual([])
  expect(faults(`- a\n- ${content} ${content}`)).toEqual([])
})

test('the check finds what it looks for', () => {
  const original = renderMarkdown('x')
  expect(original).toBe('<p>x</p>')
  expect(faults('plain')).toEqual([])
})

test.each(hostilePieces)('ten thousand characters of %j end, safely', (piece) => {
  const content = repeated(piece)
  html(content)
  expect(faults(content)).toEqual([])
})
