// Which emoji the grid shows, in which order.

import { plain } from '../../base/format.ts'
import type { Standing } from '../../base/standing.tsx'
import type { Emoji } from '../../live.ts'

export interface EmojiFilter {
  search: string
  standing: Standing
}

export function selectEmoji(emoji: Iterable<Emoji>, { search, standing }: EmojiFilter): Emoji[] {
  const words = plain(search.replaceAll(':', ' '))
    .split(/[\s_]+/)
    .filter(Boolean)
  return [...emoji]
    .filter(
      ({ name, deactivated }) =>
        (standing === 'all' || deactivated === (standing === 'deactivated')) &&
        words.every((word) => plain(name).includes(word)),
    )
    .sort((a, b) => a.name.localeCompare(b.name) || Number(a.id) - Number(b.id))
}
