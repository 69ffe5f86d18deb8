import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { RealmSnapshot } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import { required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'

interface Props {
  client: RealmClient
  settings: RealmSnapshot
}

/** Name and description: saved together, by a button. */
export function Identity({ client, settings }: Props) {
  const kept = { name: settings.realm_name, description: settings.realm_description }
  // Somebody else's change begins the form anew.
  return <IdentityForm key={JSON.stringify(kept)} client={client} kept={kept} />
}

function IdentityForm({
  client,
  kept,
}: {
  client: RealmClient
  kept: { name: string; description: string }
}) {
  const form = useForm({ initialValues: kept, validate: { name: required('a name') } })
  const save = useMutation({
    mutationFn: (values: typeof kept) => client.call('PATCH', '/realm', values),
    onSuccess: () => notifySuccess('Name and description are saved.'),
    onError: (error) => showFormError(form, error, { name: /name/i, description: /description/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <TextInput label="Name" autoComplete="off" maxLength={60} {...form.getInputProps('name')} />
        <Textarea
          label="Description"
          description="Shown to people before they sign in. Markdown works."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1000}
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
