/** The emoji that people of the demo office react with. */

const unicodeNames: Record<string, string> = {
  '👍': '+1',
  '🎉': 'tada',
  '💙': 'blue_heart',
  '😂': 'joy',
  '👀': 'eyes',
  '🚀': 'rocket',
  '🙏': 'pray',
  '👏': 'clap',
  '🔥': 'fire',
  '💯': '100',
  '☕': 'coffee',
  '📚': 'books',
  '👋': 'wave',
}

export interface Emoji {
  emoji_name: string
  emoji_code: string
  reaction_type: 'unicode_emoji' | 'realm_emoji'
}

/** @param mark a character, or the name of a custom emoji between colons */
export function emojiOf(mark: string, customIds: ReadonlyMap<string, number>): Emoji {
  const custom = /^:(\w+):$/.exec(mark)?.[1]
  if (custom !== undefined) {
    const id = customIds.get(custom)
    if (id === undefined) throw new Error(`There is no emoji ${mark}`)
    return { emoji_name: custom, emoji_code: String(id), reaction_type: 'realm_emoji' }
  }
  const emoji_name = unicodeNames[mark]
  if (emoji_name === undefined) throw new Error(`The emoji ${mark} has no name`)
  const emoji_code = [...mark].map((character) => character.codePointAt(0)?.toString(16)).join('-')
  return { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }
}
