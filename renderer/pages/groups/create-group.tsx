import { Button, Group as Row, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { PrincipalSelect, type Principals } from '../../base/principals.tsx'
import type { RealmState } from '../../live.ts'
import { GroupFields, groupRules } from './group-fields.tsx'

/** @param created goes to the new group */
export function openCreateGroup(client: RealmClient, state: RealmState, created: (id: number) => void): void {
  const modalId = openDialog({
    title: 'Create group',
    children: (
      <CreateGroup client={client} state={state} close={() => modals.close(modalId)} created={created} />
    ),
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  close: () => void
  created: (id: number) => void
}

function CreateGroup({ client, state, close, created }: Props) {
  const nobody: Principals = { users: [], groups: [] }
  const form = useForm({
    initialValues: { name: '', description: '', members: nobody },
    validate: groupRules(state),
  })
  const create = useMutation({
    mutationFn: async ({ name, description, members }: typeof form.values) => {
      const { group_id } = await client.call<{ group_id: number }>('POST', '/user_groups/create', {
        name: name.trim(),
        description: description.trim(),
        members: members.users,
        subgroups: members.groups,
      })
      return group_id
    },
    onSuccess: (id, { name }) => {
      close()
      notifySuccess(`${name.trim()} is there.`)
      created(id)
    },
    onError: (error) => showFormError(form, error, { name: /name|group/i, description: /description/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <GroupFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
        <PrincipalSelect
          label="Members"
          description="People, and other groups with everybody in them"
          placeholder={
            form.values.members.users.length + form.values.members.groups.length ? '' : 'Search by name'
          }
          state={state}
          users={[...state.users.values()].filter((user) => user.is_active)}
          groups={[...state.groups.values()].filter(isNestable)}
          value={form.values.members}
          onChange={(members) => form.setFieldValue('members', members)}
        />
        <Row justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create group
          </Button>
        </Row>
      </Stack>
    </form>
  )
}

/** Whether a group can be put into another one. */
export const isNestable = (group: {
  deactivated: boolean
  name: string
  is_system_group: boolean
}): boolean =>
  !group.deactivated &&
  !(group.is_system_group && (group.name === 'role:nobody' || group.name === 'role:internet'))
