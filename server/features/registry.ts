/** Every operation there is, joined from the features. */
import type { Page } from '../http/define-page.ts'
import type { Route } from '../http/define-route.ts'
import { adminPageRoutes } from './admin/index.ts'
import { alertWordRoutes } from './alert-words/index.ts'
import { backupRoutes } from './backups/index.ts'
import { setCallToken } from './calls/set-call-token.ts'
import { botRoutes } from './bots/index.ts'
import { channelRoutes } from './channels/index.ts'
import { addDeviceToken, removeDeviceToken } from './devices/tokens.ts'
import { draftRoutes } from './drafts/index.ts'
import { linkifierRoutes } from './linkifiers/index.ts'
import { emojiAdminRoutes, emojiRoutes } from './emoji/index.ts'
import { emojiPages } from './emoji/pages.ts'
import { defaultChannelGroupRoutes } from './default-channel-groups/index.ts'
import { domainRoutes } from './domains/index.ts'
import { exportRoutes } from './exports/index.ts'
import { exportPages } from './exports/pages.ts'
import { invitationRoutes } from './invitations/index.ts'
import { joinPage } from './invitations/join-page.ts'
import { messageRoutes } from './messages/index.ts'
import { playgroundRoutes } from './playgrounds/index.ts'
import { realmPages } from './realms/pages.ts'
import { finishOnboardingStep } from './onboarding/finish-onboarding-step.ts'
import { realmRoutes } from './realms/index.ts'
import { registerRoutes } from './register/index.ts'
import { scheduledMessageRoutes } from './scheduled-messages/index.ts'
import { muteUser, unmuteUser } from './muted-users/mute-user.ts'
import { presenceRoutes } from './presence/index.ts'
import { reactionRoutes } from './reactions/index.ts'
import { getUserStatus } from './user-status/get-user-status.ts'
import { updateStatus } from './user-status/update-status.ts'
import { savedSnippetRoutes } from './saved-snippets/index.ts'
import { getServerSettings } from './server/get-server-settings.ts'
import { addSubmessage } from './submessages/add-submessage.ts'
import { userTopicRoutes } from './user-topics/index.ts'
import { userGroupRoutes } from './user-groups/index.ts'
import { uploadRoutes } from './uploads/index.ts'
import { uploadPages } from './uploads/pages.ts'
import { profileFieldRoutes } from './profile-fields/index.ts'
import { userSettingsRoutes } from './user-settings/index.ts'
import { userRoutes } from './users/index.ts'
import { userPages } from './users/pages.ts'

/** Below `/api/v1` of a realm. */
export const apiRoutes: readonly Route[] = [
  getServerSettings,
  ...registerRoutes,
  ...userRoutes,
  ...userGroupRoutes,
  ...userSettingsRoutes,
  ...profileFieldRoutes,
  ...botRoutes,
  ...invitationRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...uploadRoutes,
  ...alertWordRoutes,
  ...linkifierRoutes,
  ...playgroundRoutes,
  addSubmessage,
  ...emojiRoutes,
  ...userTopicRoutes,
  ...scheduledMessageRoutes,
  ...reactionRoutes,
  ...presenceRoutes,
  muteUser,
  unmuteUser,
  getUserStatus,
  updateStatus,
  ...draftRoutes,
  ...savedSnippetRoutes,
  finishOnboardingStep,
  addDeviceToken,
  removeDeviceToken,
  setCallToken,
  ...realmRoutes,
  ...domainRoutes,
  ...defaultChannelGroupRoutes,
  ...exportRoutes,
]

/** Addresses of a realm beside its API. */
export const pages: readonly Page[] = [
  joinPage,
  ...uploadPages,
  ...emojiPages,
  ...userPages,
  ...realmPages,
  ...exportPages,
]

/** Below `/admin/api` of the server. */
export const adminRoutes: readonly Route[] = [...adminPageRoutes, ...backupRoutes, ...emojiAdminRoutes]
