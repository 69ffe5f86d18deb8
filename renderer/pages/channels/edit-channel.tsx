import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { openDialog } from '../../base/dialog.ts'
import { useMutation } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { Channel, RealmState } from '../../live.ts'
import { ChannelFields, channelRules } from './channel-fields.tsx'

export function openEditChannel(client: RealmClient, channel: Channel, state: RealmState): void {
  const modalId = openDialog({
    title: `Edit #${channel.name}`,
    children: (
      <EditChannel client={client} channel={channel} state={state} close={() => modals.close(modalId)} />
    ),
  })
}

interface Props {
  client: RealmClient
  channel: Channel
  state: RealmState
  close: () => void
}

function EditChannel({ client, channel, state, close }: Props) {
  const form = useForm({
    initialValues: { name: channel.name, description: channel.description },
    validate: channelRules(state),
  })
  const save = useMutation({
    mutationFn: async ({ name, description }: typeof form.values) => {
      // Only what was changed: a rename tells every client, and so does a description.
      const changes = {
        ...(name.trim() !== channel.name && { new_name: name.trim() }),
        ...(description.trim() !== channel.description && { description: description.trim() }),
      }
      if (Object.keys(changes).length > 0)
        await client.call('PATCH', `/streams/${channel.stream_id}`, changes)
      return name.trim()
    },
    onSuccess: (name) => {
      close()
      if (form.isDirty()) notifySuccess(`#${name} is saved.`)
    },
    onError: (error) => showFormError(form, error, { description: /description/i, name: /name|channel/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <ChannelFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
