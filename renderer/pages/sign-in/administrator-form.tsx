import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../admin/queries.ts'
import { adminApi } from '../../api.ts'
import { emailProblem, required } from '../../base/forms.ts'
import { messageOf } from '../../base/notify.tsx'
import { keepWay, keptRealm } from './kept-way.ts'

export function AdministratorForm() {
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { realm: keptRealm(), email: '', password: '' },
    validate: {
      realm: required('the name of the realm'),
      email: emailProblem,
      password: (value) => (value ? null : 'Enter your password.'),
    },
  })
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) =>
      adminApi.signIn(values.realm.trim().toLowerCase(), values.email.trim(), values.password),
    onSuccess: ({ session }) => {
      keepWay(session)
      client.setQueryData(keys.session, session)
    },
    onError: () => form.getInputNode('password')?.focus(),
  })
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          Owners and administrators sign in with their own account.
        </Text>
        <TextInput
          label="Realm"
          placeholder="my-office"
          description="The last part of its address: …/r/my-office"
          autoCapitalize="none"
          spellCheck={false}
          key={form.key('realm')}
          {...form.getInputProps('realm')}
        />
        <TextInput
          label="Email"
          type="email"
          placeholder="you@example.org"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {signIn.isError && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(signIn.error)}
          </Alert>
        )}
        <Button type="submit" fullWidth mt={4} loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
