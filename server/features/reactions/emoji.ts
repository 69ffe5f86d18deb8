/** Which emoji a client means by a name, a code and a type, of which it may leave the last two out. */
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { type Emoji, emojiKey, EXTRA_EMOJI, findEmoji, namesOfEmoji } from '../../services/emoji-data.ts'

export interface GivenEmoji {
  emoji_name: string
  emoji_code?: string | undefined
  reaction_type?: Emoji['reaction_type'] | undefined
}

/** @throws BadRequestError unless it is one that can be used now, under its own name */
export function usableEmoji(db: Reader, given: GivenEmoji): Emoji {
  const emoji = findGiven(db, given)
  const { emoji_name, emoji_code = emoji?.emoji_code, reaction_type = emoji?.reaction_type } = given
  const invalid = new BadRequestError(`Emoji '${emoji_name}' does not exist`)
  if (emoji_code === undefined || reaction_type === undefined) throw invalid
  switch (reaction_type) {
    case 'unicode_emoji':
      if (!namesOfEmoji(emoji_code).includes(emoji_name)) throw invalid
      return { emoji_name, emoji_code, reaction_type }
    case 'svc_extra_emoji':
      if (emoji_name !== EXTRA_EMOJI || emoji_code !== EXTRA_EMOJI) throw invalid
      return { emoji_name, emoji_code, reaction_type }
    case 'realm_emoji':
      if (emoji?.reaction_type !== 'realm_emoji' || emoji.emoji_code !== emoji_code) throw invalid
      return emoji
  }
}

function findGiven(db: Reader, { emoji_name, reaction_type }: GivenEmoji): Emoji | undefined {
  // A character can be meant by a name that the organization has given to a picture of its own.
  if (reaction_type === undefined || reaction_type === 'realm_emoji') {
    return findEmoji(db, emoji_name) ?? findEmoji(db, emojiKey(emoji_name))
  }
  return undefined
}
