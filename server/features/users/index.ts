import { createUser } from './create-user.ts'
import { deactivateOwnUser } from './deactivate-own-user.ts'
import { deactivateUser } from './deactivate-user.ts'
import { devFetchApiKey } from './dev-fetch-api-key.ts'
import { fetchApiKey } from './fetch-api-key.ts'
import { getOwnUser } from './get-own-user.ts'
import { getUser } from './get-user.ts'
import { getUserByEmail } from './get-user-by-email.ts'
import { getUsers } from './get-users.ts'
import { reactivateUser } from './reactivate-user.ts'
import { regenerateOwnApiKey } from './regenerate-own-api-key.ts'
import { updateUser } from './update-user.ts'
import { updateUserByEmail } from './update-user-by-email.ts'

import { deleteAvatar } from './delete-avatar.ts'
import { uploadAvatar } from './upload-avatar.ts'

export const userRoutes = [
  uploadAvatar,
  deleteAvatar,
  fetchApiKey,
  devFetchApiKey,
  getUsers,
  createUser,
  getOwnUser,
  deactivateOwnUser,
  regenerateOwnApiKey,
  getUser,
  getUserByEmail,
  updateUser,
  updateUserByEmail,
  deactivateUser,
  reactivateUser,
]
