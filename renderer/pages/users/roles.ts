import type { RealmState, Role, User } from '../../live.ts'

export interface RoleChoice {
  value: Role
  label: string
  description: string
}

export const roles: readonly RoleChoice[] = [
  { value: 100, label: 'Owner', description: 'Everything, and may appoint other owners' },
  { value: 200, label: 'Administrator', description: 'Manages people, channels and settings' },
  { value: 300, label: 'Moderator', description: 'Keeps conversations in order' },
  { value: 400, label: 'Member', description: 'Takes part' },
  { value: 600, label: 'Guest', description: 'Sees only the channels they are put in' },
]

export function roleLabel(role: number): string {
  return roles.find(({ value }) => value === role)?.label ?? `Role ${role}`
}

/** Why this page's user cannot give somebody a role; null where they can. */
export function roleProblem({ users, me }: RealmState, user: User, role: Role): string | null {
  if (role === user.role) return null
  const own = users.get(me)?.role
  if (own !== 100 && (role === 100 || user.role === 100)) return 'Only an owner can do this'
  if (user.role === 600 && role <= 200) return 'A guest has to become a member first'
  const isOtherOwner = (other: User) =>
    other.role === 100 && other.is_active && !other.is_bot && other.user_id !== user.user_id
  if (user.role === 100 && ![...users.values()].some(isOtherOwner)) return 'The only owner has to stay one'
  return null
}

/** Whether this page's user may change somebody: only an owner changes owners. */
export const mayChange = ({ users, me }: RealmState, user: User): boolean =>
  user.role !== 100 || users.get(me)?.role === 100
