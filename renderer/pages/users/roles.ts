import type { Role } from '../../live.ts'

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
