import { getRealmPresence, getUserPresence } from './get-presence.ts'
import { updatePresence } from './update-presence.ts'

export const presenceRoutes = [updatePresence, getRealmPresence, getUserPresence]
