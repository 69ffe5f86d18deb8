/** System groups, and which groups each permission setting may be given to. */

/** From the widest to the narrowest; each contains all that come after it, but for the full members and nobody. */
export const systemGroups = [
  { name: 'role:internet', description: 'Everyone on the Internet' },
  { name: 'role:everyone', description: 'All users, including guests' },
  { name: 'role:members', description: 'All users, not including guests' },
  { name: 'role:fullmembers', description: 'Members past the waiting period, not including guests' },
  { name: 'role:moderators', description: 'Moderators, administrators and owners' },
  { name: 'role:administrators', description: 'Administrators and owners' },
  { name: 'role:owners', description: 'Owners' },
  { name: 'role:nobody', description: 'Nobody' },
] as const

export type SystemGroupName = (typeof systemGroups)[number]['name']

/** A group-setting value: a group's id, or the very users and groups (specification, "Group-setting value"). */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] }

export interface PermissionSetting {
  /** Who holds it until somebody decides: a system group, or whoever made the channel or group. */
  default_group_name: SystemGroupName | 'channel_creator' | 'group_creator'
  /** What system groups get where that differs. */
  default_for_system_groups: SystemGroupName | null
  require_system_group: boolean
  allow_internet_group: boolean
  allow_everyone_group: boolean
  allow_nobody_group: boolean
  /** Empty: any that the other rules allow. */
  allowed_system_groups: SystemGroupName[]
}

const permission = <Default extends PermissionSetting['default_group_name']>(
  default_group_name: Default,
  rules: Partial<Omit<PermissionSetting, 'default_group_name'>> = {},
): PermissionSetting & { default_group_name: Default } => ({
  default_group_name,
  default_for_system_groups: null,
  require_system_group: false,
  allow_internet_group: false,
  allow_everyone_group: false,
  allow_nobody_group: true,
  allowed_system_groups: [],
  ...rules,
})

const everyone = { allow_everyone_group: true } as const
const somebody = { allow_nobody_group: false } as const

/** Permission settings of the organization, without the `realm_` that they carry in the register response. */
export const realmPermissions = {
  can_access_all_users_group: permission('role:everyone', {
    require_system_group: true,
    ...everyone,
    ...somebody,
    allowed_system_groups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: permission('role:members', somebody),
  can_add_subscribers_group: permission('role:members', somebody),
  can_create_bots_group: permission('role:members'),
  can_create_groups: permission('role:members', somebody),
  can_create_private_channel_group: permission('role:members', somebody),
  can_create_public_channel_group: permission('role:members', somebody),
  can_create_web_public_channel_group: permission('role:owners', {
    require_system_group: true,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: permission('role:members'),
  can_delete_any_message_group: permission('role:administrators', somebody),
  can_delete_own_message_group: permission('role:everyone', everyone),
  can_invite_users_group: permission('role:members'),
  can_manage_all_groups: permission('role:owners', somebody),
  can_manage_billing_group: permission('role:administrators', somebody),
  can_mention_many_users_group: permission('role:administrators', everyone),
  can_move_messages_between_channels_group: permission('role:members'),
  can_move_messages_between_topics_group: permission('role:everyone', everyone),
  can_resolve_topics_group: permission('role:everyone', everyone),
  can_summarize_topics_group: permission('role:everyone', everyone),
  create_multiuse_invite_group: permission('role:administrators'),
  direct_message_initiator_group: permission('role:everyone', everyone),
  direct_message_permission_group: permission('role:everyone', everyone),
} as const satisfies Record<string, PermissionSetting>

export const channelPermissions = {
  can_add_subscribers_group: permission('role:nobody', everyone),
  can_administer_channel_group: permission('channel_creator'),
  can_remove_subscribers_group: permission('role:administrators', everyone),
  can_send_message_group: permission('role:everyone', everyone),
  can_subscribe_group: permission('role:nobody'),
} as const satisfies Record<string, PermissionSetting>

export const groupPermissions = {
  can_add_members_group: permission('group_creator', { default_for_system_groups: 'role:nobody' }),
  can_join_group: permission('role:nobody', { default_for_system_groups: 'role:nobody' }),
  can_leave_group: permission('role:everyone', { default_for_system_groups: 'role:nobody', ...everyone }),
  can_manage_group: permission('group_creator', { default_for_system_groups: 'role:nobody' }),
  can_mention_group: permission('role:everyone', {
    default_for_system_groups: 'role:nobody',
    ...everyone,
    // All but `role:internet` and `role:owners` (specification, "PATCH /user_groups/{user_group_id}").
    allowed_system_groups: [
      'role:everyone',
      'role:members',
      'role:fullmembers',
      'role:moderators',
      'role:administrators',
      'role:nobody',
    ],
  }),
  can_remove_members_group: permission('role:nobody', { default_for_system_groups: 'role:nobody' }),
} as const satisfies Record<string, PermissionSetting>

export type RealmPermission = keyof typeof realmPermissions
export type ChannelPermission = keyof typeof channelPermissions
export type GroupPermission = keyof typeof groupPermissions

export const channelPermissionNames = Object.keys(channelPermissions) as ChannelPermission[]
export const realmPermissionNames = Object.keys(realmPermissions) as RealmPermission[]
export const groupPermissionNames = Object.keys(groupPermissions) as GroupPermission[]
