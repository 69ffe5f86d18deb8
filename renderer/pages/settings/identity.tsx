import { Button, Group, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { RealmSnapshot } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import { required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import classes from './settings.module.css'

interface Props {
  client: RealmClient
  settings: RealmSnapshot
}

/** Name and description: saved together, by a button. */
export function Identity({ client, settings }: Props) {
  const kept = { name: settings.realm_name, description: settings.realm_description }
  // Somebody else's change shows at once, unless one has begun to write.
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
    onSuccess: () => notifySuccess('The profile is saved.'),
    onError: (error) => showFormError(form, error, { name: /name/i, description: /description/i }),
  })
  return (
    <section className={`card ${classes.section}`} aria-labelledby="profile">
      <Title order={2} size="h5" id="profile" mb="md">
        Profile
      </Title>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
        <Stack>
          <TextInput label="Name" maw={420} autoComplete="off" {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            description="Shown to those who look for it. Markdown works."
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps('description')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}
