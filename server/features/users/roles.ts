/** Roles, the more powerful the smaller. */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleNumber = (typeof Role)[keyof typeof Role]
export type RoleName = keyof typeof Role

export const roleNumbers: readonly RoleNumber[] = Object.values(Role)

interface HasRole {
  role: number
}
export const isOwner = (user: HasRole): boolean => user.role === Role.owner
export const isAdministrator = (user: HasRole): boolean => user.role <= Role.administrator
/** Moderators, and those above them. */
export const isModerator = (user: HasRole): boolean => user.role <= Role.moderator
export const isGuest = (user: HasRole): boolean => user.role === Role.guest
