import { deactivateRealm } from './deactivate-realm.ts'
import { updateRealm } from './update-realm.ts'

export const realmRoutes = [updateRealm, deactivateRealm]
