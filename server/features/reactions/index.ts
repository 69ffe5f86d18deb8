import { addReaction } from './add-reaction.ts'
import { removeReaction } from './remove-reaction.ts'

export const reactionRoutes = [addReaction, removeReaction]
