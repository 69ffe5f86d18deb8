/** Every operation there is, joined from the features. */
import type { Route } from '../http/define-route.ts'
import { adminPageRoutes } from './admin/index.ts'
import { backupRoutes } from './backups/index.ts'
import { channelRoutes } from './channels/index.ts'
import { messageRoutes } from './messages/index.ts'
import { registerRoutes } from './register/index.ts'
import { getServerSettings } from './server/get-server-settings.ts'
import { userTopicRoutes } from './user-topics/index.ts'
import { userRoutes } from './users/index.ts'

/** Below `/api/v1` of a realm. */
export const apiRoutes: readonly Route[] = [
  getServerSettings,
  ...registerRoutes,
  ...userRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...userTopicRoutes,
]

/** Below `/admin/api` of the server. */
export const adminRoutes: readonly Route[] = [...adminPageRoutes, ...backupRoutes]
