import { updateRealm } from './update-realm.ts'

export const realmRoutes = [updateRealm]
