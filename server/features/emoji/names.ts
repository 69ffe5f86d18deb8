/** Names of custom emoji (specification, "POST /realm/emoji/{emoji_name}"). */
import { BadRequestError } from '../../http/errors.ts'
import { codeOfEmoji, EXTRA_EMOJI } from '../../services/emoji-data.ts'

const MAX_LENGTH = 100

/**
 * A name as it is kept: in lower case, with underscores for spaces.
 * @throws BadRequestError for what cannot be a name
 */
export function parseEmojiName(given: string): string {
  const name = given.normalize('NFC').trim().toLowerCase().replace(/\s+/g, '_')
  if (name === '') throw new BadRequestError('Emoji name is missing')
  if (name.length > MAX_LENGTH) throw new BadRequestError('Emoji name is too long')
  if (!/^[\p{Ll}\p{Lo}\p{M}\p{N}_-]+$/u.test(name))
    throw new BadRequestError('Invalid characters in emoji name')
  if (!/[\p{L}\p{N}]$/u.test(name)) {
    throw new BadRequestError('Emoji names must end with either a letter or digit.')
  }
  return name
}

/** Whether every organization has an emoji of this name already. */
export const isBuiltIn = (name: string): boolean => name === EXTRA_EMOJI || codeOfEmoji(name) !== undefined
