import { createProfileField } from './create-profile-field.ts'
import { deleteOwnProfile } from './delete-own-profile.ts'
import { deleteProfileField } from './delete-profile-field.ts'
import { getProfileFields } from './get-profile-fields.ts'
import { reorderProfileFields } from './reorder-profile-fields.ts'
import { updateOwnProfile } from './update-own-profile.ts'
import { updateProfileField } from './update-profile-field.ts'

export const profileFieldRoutes = [
  getProfileFields,
  createProfileField,
  reorderProfileFields,
  updateProfileField,
  deleteProfileField,
  updateOwnProfile,
  deleteOwnProfile,
]
