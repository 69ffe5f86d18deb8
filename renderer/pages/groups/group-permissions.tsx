import { Button, Group as Row, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupPermission, GroupSettingValue } from '../../../server/contract.ts'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { groupLabel } from '../../base/groups.ts'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { isSameValue, PermissionPicker } from '../../base/permission-picker.tsx'
import type { Group, RealmState } from '../../live.ts'
import classes from './groups.module.css'

const labels: readonly { name: GroupPermission; label: string; description: string }[] = [
  { name: 'can_manage_group', label: 'Manage it', description: 'Name, description, members and permissions' },
  { name: 'can_mention_group', label: 'Mention it', description: 'Everybody in it is notified' },
  { name: 'can_add_members_group', label: 'Add members', description: 'Besides those who manage it' },
  { name: 'can_remove_members_group', label: 'Remove members', description: 'Besides those who manage it' },
  { name: 'can_join_group', label: 'Join by themselves', description: 'Without being added by somebody' },
  { name: 'can_leave_group', label: 'Leave by themselves', description: 'Without being removed by somebody' },
]

type Changes = Partial<Record<GroupPermission, GroupSettingValue>>

interface Props {
  group: Group
  state: RealmState
  disabled: boolean
}

/** Who may do what with a group. Only what was changed is sent, with what it was changed from. */
export function GroupPermissions({ group, state, disabled }: Props) {
  const { client } = useRealmLive()
  const [changes, setChanges] = useState<Changes>({})
  const changed = labels.filter(({ name }) => {
    const value = changes[name]
    return value !== undefined && !isSameValue(value, group[name])
  })
  const save = useMutation({
    mutationFn: () =>
      client.call(
        'PATCH',
        `/user_groups/${group.id}`,
        Object.fromEntries(changed.map(({ name }) => [name, { new: changes[name], old: group[name] }])),
      ),
    onSuccess: () => {
      setChanges({})
      notifySuccess(`The permissions of ${groupLabel(group)} are saved.`)
    },
    onError: notifyFailure,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (changed.length > 0) save.mutate()
      }}
    >
      <Stack gap="lg">
        <div className={classes.permissions}>
          {labels.map(({ name, label, description }) => {
            const rules = state.permissions.group[name]
            return (
              rules && (
                <PermissionPicker
                  key={name}
                  label={label}
                  description={description}
                  state={state}
                  rules={rules}
                  value={changes[name] ?? group[name]}
                  onChange={(value) => setChanges({ ...changes, [name]: value })}
                  disabled={disabled}
                />
              )
            )
          })}
        </div>
        {!disabled && (
          <Row justify="flex-end" gap="sm">
            <Button variant="default" disabled={changed.length === 0} onClick={() => setChanges({})}>
              Discard
            </Button>
            <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
              Save permissions
            </Button>
          </Row>
        )}
      </Stack>
    </form>
  )
}
