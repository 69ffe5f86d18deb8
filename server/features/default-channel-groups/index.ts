import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { updateGroupChannels } from './update-group-channels.ts'
import { updateGroup } from './update-group.ts'

export const defaultChannelGroupRoutes = [createGroup, updateGroup, deleteGroup, updateGroupChannels]
