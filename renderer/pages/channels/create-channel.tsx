import { Button, Group, Radio, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { openDialog } from '../../base/dialog.ts'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type RealmClient } from '../../api.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { RealmState } from '../../live.ts'
import { ChannelFields, channelRules } from './channel-fields.tsx'

export function openCreateChannel(client: RealmClient, state: RealmState): void {
  const modalId = openDialog({
    title: 'Create channel',
    children: <CreateChannel client={client} state={state} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  close: () => void
}

interface Subscribed {
  subscribed: Record<string, string[]>
  already_subscribed: Record<string, string[]>
}

function CreateChannel({ client, state, close }: Props) {
  const form = useForm({
    initialValues: { name: '', description: '', privacy: 'public', everybody: true },
    validate: {
      ...channelRules(state),
      name: (value: string) => channelRules(state).name(value) ?? takenProblem(state, value),
    },
  })
  const create = useMutation({
    mutationFn: async ({ name, description, privacy, everybody }: typeof form.values) => {
      const reply = await client.call<Subscribed>('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: name.trim(), description: description.trim() }],
        invite_only: privacy === 'private',
        announce: false,
        ...(everybody && privacy === 'public' && { principals: activePeople(state) }),
      })
      // The call that creates is also the one that subscribes: success may mean "you are in it already".
      if (Object.values(reply.subscribed).flat().length === 0)
        throw new ApiError(400, 'BAD_REQUEST', 'A channel of this name is there already.', { field: 'name' })
    },
    onSuccess: (_reply, { name }) => {
      close()
      notifySuccess(`#${name.trim()} is open.`)
    },
    onError: (error) => showFormError(form, error, { name: /name|channel/i, description: /description/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <ChannelFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
        <Radio.Group label="Who may join" {...form.getInputProps('privacy')}>
          <Stack gap="sm" mt={8}>
            <Radio value="public" label="Public" description="Every member finds it and may join" />
            <Radio value="private" label="Private" description="Only those who are invited see it" />
          </Stack>
        </Radio.Group>
        <Switch
          label="Subscribe everybody now"
          description={`${activePeople(state).length} people; newcomers join by themselves`}
          disabled={form.values.privacy === 'private'}
          {...form.getInputProps('everybody', { type: 'checkbox' })}
        />
        {form.values.privacy === 'private' && (
          <Text size="xs" c="dimmed">
            A private channel starts with its creator alone.
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create channel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function activePeople(state: RealmState): number[] {
  return [...state.users.values()]
    .filter((user) => user.is_active && !user.is_bot && user.role < 600)
    .map(({ user_id }) => user_id)
}

function takenProblem(state: RealmState, name: string): string | null {
  const wanted = name.trim().toLowerCase()
  const taken = [...state.channels.values()].find((channel) => channel.name.toLowerCase() === wanted)
  if (!taken) return null
  return taken.is_archived ? 'An archived channel has this name.' : 'A channel of this name is there already.'
}
