import type { GroupPermission } from '../../../server/contract.ts'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { groupLabel } from '../../base/groups.ts'
import { PermissionForm, type PermissionLabel } from '../../base/permission-form.tsx'
import type { Group, RealmState } from '../../live.ts'

const labels: readonly PermissionLabel<GroupPermission>[] = [
  { name: 'can_manage_group', label: 'Manage it', description: 'Name, description, members and permissions' },
  { name: 'can_mention_group', label: 'Mention it', description: 'Everybody in it is notified' },
  { name: 'can_add_members_group', label: 'Add members', description: 'Besides those who manage it' },
  { name: 'can_remove_members_group', label: 'Remove members', description: 'Besides those who manage it' },
  { name: 'can_join_group', label: 'Join by themselves', description: 'Without being added by somebody' },
  { name: 'can_leave_group', label: 'Leave by themselves', description: 'Without being removed by somebody' },
]

interface Props {
  group: Group
  state: RealmState
  disabled: boolean
}

/** Who may do what with a group. */
export function GroupPermissions({ group, state, disabled }: Props) {
  const { client } = useRealmLive()
  return (
    <PermissionForm
      labels={labels}
      rules={state.permissions.group}
      state={state}
      kept={group}
      disabled={disabled}
      send={(changes) => client.call('PATCH', `/user_groups/${group.id}`, changes)}
      saved={`The permissions of ${groupLabel(group)} are saved.`}
    />
  )
}
