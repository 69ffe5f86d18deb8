import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { openDialog } from '../../base/dialog.ts'
import { useMutation } from '@tanstack/react-query'
import { adminApi, type Credentials, realmClient } from '../../api.ts'
import { emailProblem, required, showFormError } from '../../base/forms.ts'
import { notifyFailure } from '../../base/notify.tsx'
import { showSecret } from '../../base/secret.tsx'
import { roles } from './roles.ts'

export function openCreateUser(realm: string): void {
  const modalId = openDialog({
    title: 'Create user',
    size: 'md',
    children: (
      <CreateUser
        realm={realm}
        cancel={() => modals.close(modalId)}
        created={(credentials, name) => {
          modals.close(modalId)
          showCredentials(realm, credentials, name).catch(notifyFailure)
        }}
      />
    ),
  })
}

async function showCredentials(realm: string, credentials: Credentials, name: string): Promise<void> {
  // The key can be shown this once, so not knowing the address must not lose it.
  const address = await realmClient(realm)
    .access()
    .then(({ base_url }) => [{ label: 'Address', value: base_url }])
    .catch(() => [])
  showSecret({
    title: `${name} can sign in`,
    intro: `Give these to ${name}: with them, a chat client or a script signs in.`,
    details: [...address, { label: 'Email', value: credentials.email }],
    apiKey: credentials.api_key,
    done: { verb: 'Create another', action: () => openCreateUser(realm) },
  })
}

interface Props {
  realm: string
  cancel: () => void
  created: (credentials: Credentials, name: string) => void
}

function CreateUser({ realm, cancel, created }: Props) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { full_name: '', email: '', role: '400', password: '' },
    validate: { full_name: required('a name'), email: emailProblem },
  })
  const create = useMutation({
    mutationFn: ({ full_name, email, role, password }: typeof form.values) =>
      adminApi.createUser(realm, {
        full_name: full_name.trim(),
        email: email.trim(),
        role: Number(role),
        ...(password && { password }),
      }),
    onSuccess: (credentials, { full_name }) => created(credentials, full_name.trim()),
    onError: (error) =>
      showFormError(form, error, {
        email: /email/i,
        password: /password/i,
        full_name: /name/i,
        role: /role|owner/i,
      }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Full name"
          placeholder="Maria Member"
          autoComplete="off"
          data-autofocus
          key={form.key('full_name')}
          {...form.getInputProps('full_name')}
        />
        <TextInput
          label="Email"
          type="email"
          placeholder="maria@example.org"
          autoComplete="off"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Select
          label="Role"
          data={roles.map(({ value, label }) => ({ value: String(value), label }))}
          renderOption={({ option }) => (
            <div>
              <Text size="sm" fw={500}>
                {option.label}
              </Text>
              <Text size="xs" c="dimmed">
                {roles.find(({ value }) => String(value) === option.value)?.description}
              </Text>
            </div>
          )}
          allowDeselect={false}
          comboboxProps={{ shadow: 'md' }}
          key={form.key('role')}
          {...form.getInputProps('role')}
        />
        <PasswordInput
          label="Password (optional)"
          description="Without one, they sign in with the API key that you get next."
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create user
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
