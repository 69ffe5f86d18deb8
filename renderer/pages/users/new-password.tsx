import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { adminApi, type RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { RealmState, User } from '../../live.ts'

export function openNewPassword(client: RealmClient, user: User, state: RealmState): void {
  const modalId = openDialog({
    title: `Password of ${user.full_name}`,
    children: <NewPassword client={client} user={user} state={state} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  user: User
  state: RealmState
  close: () => void
}

function NewPassword({ client, user, close }: Props) {
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value ? null : 'Enter a password.') },
  })
  const save = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      adminApi.changeUser(client.realm, user.user_id, { password }),
    onSuccess: () => {
      close()
      notifySuccess(`${user.full_name} has a new password.`)
    },
    onError: (error) => showFormError(form, error, { password: /password/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          The old password ends at once. Clients that are signed in stay so: they hold the API key, which you
          can renew too.
        </Text>
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Set the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
