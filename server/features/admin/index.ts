import { changeUser } from './change-user.ts'
import { check } from './check.ts'
import { createRealm } from './create-realm.ts'
import { createUser } from './create-user.ts'
import { dropQueue } from './drop-queue.ts'
import { getApiKey } from './get-api-key.ts'
import { getConfig } from './get-config.ts'
import { getRealms } from './get-realms.ts'
import { getServer } from './get-server.ts'
import { getSession } from './get-session.ts'
import { getUsers } from './get-users.ts'
import { grant } from './grant.ts'
import { openRealm } from './open-realm.ts'
import { reactivateRealm } from './reactivate-realm.ts'
import { renewApiKey } from './renew-api-key.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { watchActivity } from './watch-activity.ts'

export const adminPageRoutes = [
  signIn,
  getSession,
  signOut,
  getServer,
  getConfig,
  getRealms,
  createRealm,
  openRealm,
  reactivateRealm,
  getUsers,
  createUser,
  changeUser,
  getApiKey,
  renewApiKey,
  grant,
  watchActivity,
  dropQueue,
  check,
]
