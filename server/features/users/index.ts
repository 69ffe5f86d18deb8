import { createUser } from './create-user.ts'
import { deactivateUser } from './deactivate-user.ts'
import { devFetchApiKey } from './dev-fetch-api-key.ts'
import { fetchApiKey } from './fetch-api-key.ts'
import { getOwnUser } from './get-own-user.ts'
import { getUsers } from './get-users.ts'
import { reactivateUser } from './reactivate-user.ts'
import { updateUser } from './update-user.ts'

export const userRoutes = [
  fetchApiKey,
  devFetchApiKey,
  getUsers,
  createUser,
  getOwnUser,
  updateUser,
  deactivateUser,
  reactivateUser,
]
