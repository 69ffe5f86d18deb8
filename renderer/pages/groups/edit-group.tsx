import { Button, Group as Row, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { Group, RealmState } from '../../live.ts'
import { GroupFields, groupRules } from './group-fields.tsx'

export function openEditGroup(client: RealmClient, state: RealmState, group: Group): void {
  const modalId = openDialog({
    title: `Rename ${group.name}`,
    children: <EditGroup client={client} state={state} group={group} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  group: Group
  close: () => void
}

function EditGroup({ client, state, group, close }: Props) {
  const form = useForm({
    initialValues: { name: group.name, description: group.description },
    validate: groupRules(state, group.id),
  })
  const save = useMutation({
    mutationFn: async ({ name, description }: typeof form.values) => {
      const changes = {
        ...(name.trim() !== group.name && { name: name.trim() }),
        ...(description.trim() !== group.description && { description: description.trim() }),
      }
      if (Object.keys(changes).length > 0) await client.call('PATCH', `/user_groups/${group.id}`, changes)
    },
    onSuccess: (_reply, { name }) => {
      close()
      if (form.isDirty()) notifySuccess(`${name.trim()} is saved.`)
    },
    onError: (error) => showFormError(form, error, { description: /description/i, name: /name|group/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <GroupFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
        <Row justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Row>
      </Stack>
    </form>
  )
}
