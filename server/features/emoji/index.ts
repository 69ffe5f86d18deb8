import { deactivateEmoji } from './deactivate-emoji.ts'
import { getEmoji } from './get-emoji.ts'
import { uploadEmoji } from './upload-emoji.ts'

export const emojiRoutes = [getEmoji, uploadEmoji, deactivateEmoji]
