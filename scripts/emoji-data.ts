// Writes server/services/emoji-names.json from the emoji library: of its many megabytes, the server needs which names
// a character has. Run it after an update of the library: `npx tsx scripts/emoji-data.ts`.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './lib/paths.ts'

const require = createRequire(import.meta.url)

interface Emoji {
  hexcode: string
  order?: number
}
type Shortcodes = Record<string, string | string[]>

/** The names people are used to come first; a name belongs to the first that claims it. */
const sets = ['github', 'iamcal', 'joypixels', 'emojibase', 'cldr'].map(
  (name) => require(`emojibase-data/en/shortcodes/${name}.json`) as Shortcodes,
)
const emoji = (require('emojibase-data/en/data.json') as Emoji[])
  .filter(({ order }) => order !== undefined)
  .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))

const taken = new Set<string>()
const names = new Map<string, string[]>()
for (const set of sets) {
  for (const { hexcode } of emoji) {
    // A code leaves out the selector that asks for a picture.
    const code = hexcode.toLowerCase().replaceAll('-fe0f', '')
    const own = names.get(code) ?? []
    names.set(code, own)
    for (const name of [set[hexcode] ?? []].flat()) {
      if (taken.has(name) || !/^[-+\w]+$/.test(name)) continue
      taken.add(name)
      own.push(name)
    }
  }
}
const lines = [...names]
  .filter(([, own]) => own.length > 0)
  .map(([code, own]) => `  ${JSON.stringify(code)}: [${own.map((name) => JSON.stringify(name)).join(', ')}]`)
writeFileSync(join(root, 'server/services/emoji-names.json'), `{\n${lines.join(',\n')}\n}\n`)
