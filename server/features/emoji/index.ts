import { cancelImport } from './cancel-import.ts'
import { confirmImport } from './confirm-import.ts'
import { deactivateEmoji } from './deactivate-emoji.ts'
import { getEmoji } from './get-emoji.ts'
import { getWatchedFolder } from './get-watched-folder.ts'
import { openImport } from './open-import.ts'
import { uploadEmoji } from './upload-emoji.ts'

export const emojiRoutes = [getEmoji, uploadEmoji, deactivateEmoji]

export const emojiAdminRoutes = [getWatchedFolder, openImport, confirmImport, cancelImport]
