import { createGroup } from './create-group.ts'
import { deactivateGroup } from './deactivate-group.ts'
import { getGroups } from './get-groups.ts'
import { getIsMember } from './get-is-member.ts'
import { getMembers } from './get-members.ts'
import { getSubgroups } from './get-subgroups.ts'
import { updateGroup } from './update-group.ts'
import { updateMembers } from './update-members.ts'
import { updateSubgroups } from './update-subgroups.ts'

export const userGroupRoutes = [
  getGroups,
  createGroup,
  updateGroup,
  deactivateGroup,
  getMembers,
  updateMembers,
  getIsMember,
  getSubgroups,
  updateSubgroups,
]
