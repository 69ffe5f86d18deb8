import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { openDialog } from '../../base/dialog.ts'
import { useMutation } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import { required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { User } from '../../live.ts'

export function openRenameUser(client: RealmClient, user: User): void {
  const modalId = openDialog({
    title: `Rename ${user.full_name}`,
    children: <RenameUser client={client} user={user} close={() => modals.close(modalId)} />,
  })
}

function RenameUser({ client, user, close }: { client: RealmClient; user: User; close: () => void }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { full_name: user.full_name },
    validate: { full_name: required('a name') },
  })
  const rename = useMutation({
    mutationFn: (full_name: string) => client.call('PATCH', `/users/${user.user_id}`, { full_name }),
    onSuccess: (_reply, name) => {
      close()
      notifySuccess(`Renamed to ${name}.`)
    },
    onError: (error) => showFormError(form, error, { full_name: /name|character/i }),
  })
  return (
    <form onSubmit={form.onSubmit(({ full_name }) => rename.mutate(full_name.trim()))} noValidate>
      <Stack>
        <TextInput
          label="Full name"
          autoComplete="off"
          data-autofocus
          key={form.key('full_name')}
          {...form.getInputProps('full_name')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
