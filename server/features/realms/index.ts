import { deactivateRealm } from './deactivate-realm.ts'
import { deleteIcon } from './delete-icon.ts'
import { deleteLogo } from './delete-logo.ts'
import { updateRealm } from './update-realm.ts'
import { uploadIcon } from './upload-icon.ts'
import { uploadLogo } from './upload-logo.ts'

export const realmRoutes = [updateRealm, deactivateRealm, uploadIcon, deleteIcon, uploadLogo, deleteLogo]
