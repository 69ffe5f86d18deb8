import { addSubscriptions } from './add-subscriptions.ts'
import { archiveChannel } from './archive-channel.ts'
import { getChannels } from './get-channels.ts'
import { getSubscriptions } from './get-subscriptions.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'
import { updateChannel } from './update-channel.ts'

export const channelRoutes = [
  getChannels,
  addSubscriptions,
  getSubscriptions,
  removeSubscriptions,
  updateChannel,
  archiveChannel,
]
