import { Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { openDialog } from '../../base/dialog.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { keys, useServer } from '../../admin/queries.ts'
import { adminApi, type Credentials, type Realm } from '../../api.ts'
import { emailProblem, required, showFormError } from '../../base/forms.ts'
import { showSecret } from '../../base/secret.tsx'
import { paths } from '../../router.ts'
import { realmNameProblem, suggestRealmName } from './realm-name.ts'

interface Options {
  navigate: (to: string) => void
}

export function openCreateRealm({ navigate }: Options): void {
  const modalId = openDialog({
    title: 'Create realm',
    size: 'lg',
    children: (
      <CreateRealm
        cancel={() => modals.close(modalId)}
        created={(realm, owner) => {
          modals.close(modalId)
          navigate(paths.overview())
          showOwner(realm, owner, navigate)
        }}
      />
    ),
  })
}

function showOwner(realm: Realm, owner: Credentials, navigate: Options['navigate']): void {
  showSecret({
    title: `${realm.display_name} is ready`,
    intro: 'With these, a chat client or a script signs in as the owner of the new realm.',
    details: [
      { label: 'Address', value: realm.url },
      { label: 'Email', value: owner.email },
    ],
    apiKey: owner.api_key,
    done: { verb: 'Add people', action: () => navigate(paths.realm(realm.name, 'users')) },
  })
}

interface Props {
  cancel: () => void
  created: (realm: Realm, owner: Credentials) => void
}

function CreateRealm({ cancel, created }: Props) {
  const queries = useQueryClient()
  const { data: server } = useServer()
  const nameEdited = useRef(false)
  const form = useForm({
    initialValues: { display_name: '', name: '', owner_name: '', owner_email: '', owner_password: '' },
    validate: {
      display_name: required('what people call it'),
      name: realmNameProblem,
      owner_name: required('the name of its owner'),
      owner_email: emailProblem,
    },
    onValuesChange: (values, previous) => {
      if (values.display_name !== previous.display_name && !nameEdited.current)
        form.setFieldValue('name', suggestRealmName(values.display_name))
    },
  })
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      adminApi.createRealm({
        name: values.name,
        display_name: values.display_name.trim(),
        owner_name: values.owner_name.trim(),
        owner_email: values.owner_email.trim(),
        ...(values.owner_password && { owner_password: values.owner_password }),
      }),
    onSuccess: async ({ realm, owner }) => {
      await queries.invalidateQueries({ queryKey: keys.realms })
      created(realm, owner)
    },
    onError: (error) =>
      showFormError(form, error, {
        owner_password: /password/i,
        owner_email: /email/i,
        owner_name: /owner.* name|full name/i,
        name: /realm|name/i,
      }),
  })
  const name = form.getInputProps('name')
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          A realm is one organization: its own people, channels and messages, unseen by every other realm.
        </Text>
        <TextInput
          label="Display name"
          placeholder="Acme Ironworks"
          data-autofocus
          autoComplete="organization"
          {...form.getInputProps('display_name')}
        />
        <TextInput
          label="Name in addresses"
          placeholder="acme"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          description={`Clients connect to ${server?.url ?? ''}/r/${form.values.name || '…'}`}
          {...name}
          onChange={(event) => {
            nameEdited.current = event.currentTarget.value !== ''
            name.onChange(event)
          }}
        />
        <Divider label="Its owner" labelPosition="left" mt={4} />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label="Full name"
            placeholder="Pat Ironside"
            autoComplete="off"
            miw={200}
            {...form.getInputProps('owner_name')}
          />
          <TextInput
            label="Email"
            type="email"
            placeholder="pat@example.org"
            autoComplete="off"
            miw={200}
            {...form.getInputProps('owner_email')}
          />
        </Group>
        <PasswordInput
          label="Password (optional)"
          description="Without one, the owner signs in with the API key that you get next."
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('owner_password')}
        />
        <Group justify="flex-end" gap="sm" mt="xs">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create realm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
