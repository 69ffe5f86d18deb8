import { addSubscriptions } from './add-subscriptions.ts'
import { archiveChannel } from './archive-channel.ts'
import { addDefaultChannel, removeDefaultChannel } from './default-channels.ts'
import { getChannel } from './get-channel.ts'
import { getChannelId } from './get-channel-id.ts'
import { getChannels } from './get-channels.ts'
import { getEmailAddress } from './get-email-address.ts'
import { getSubscribers } from './get-subscribers.ts'
import { getSubscriptionStatus } from './get-subscription-status.ts'
import { getSubscriptions } from './get-subscriptions.ts'
import { getTopics } from './get-topics.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'
import { updateChannel } from './update-channel.ts'
import { updateSubscriptionProperties } from './update-subscription-properties.ts'
import { updateSubscriptions } from './update-subscriptions.ts'

export const channelRoutes = [
  getChannels,
  getChannel,
  getChannelId,
  getSubscribers,
  getTopics,
  getEmailAddress,
  updateChannel,
  archiveChannel,
  addDefaultChannel,
  removeDefaultChannel,
  addSubscriptions,
  getSubscriptions,
  getSubscriptionStatus,
  removeSubscriptions,
  updateSubscriptionProperties,
  updateSubscriptions,
]
