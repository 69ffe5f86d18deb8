import { deactivateEmoji } from './deactivate-emoji.ts'
import { getEmoji } from './get-emoji.ts'
import { getWatchedFolder } from './get-watched-folder.ts'
import { uploadEmoji } from './upload-emoji.ts'

export const emojiRoutes = [getEmoji, uploadEmoji, deactivateEmoji]

export const emojiAdminRoutes = [getWatchedFolder]
