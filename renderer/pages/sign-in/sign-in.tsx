import { Alert, Anchor, Button, Collapse, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconAlertTriangle, IconLink } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { keys } from '../../admin/queries.ts'
import { ColorSchemeMenu } from '../../admin/color-scheme-menu.tsx'
import { ConnectionBanner } from '../../admin/connection-banner.tsx'
import { adminApi } from '../../api.ts'
import { emailProblem, required } from '../../base/forms.ts'
import { Mark } from '../../base/mark.tsx'
import { messageOf } from '../../base/notify.tsx'
import { SignInByLink } from './sign-in-by-link.tsx'
import classes from './sign-in.module.css'

/** For those who came without the link, with an old one, or as an administrator of one realm. */
export function SignIn({ linkRefused }: { linkRefused: boolean }) {
  const [linkOpen, setLinkOpen] = useState(linkRefused)
  useEffect(() => {
    document.title = 'Sign in · Parley'
  }, [])
  return (
    <div className={classes.page}>
      <ConnectionBanner />
      <div className={classes.scheme}>
        <ColorSchemeMenu />
      </div>
      <main className={classes.main}>
        <Stack align="center" gap={6} mb="lg" ta="center">
          <Mark size={48} />
          <Title order={1} size={24} mt="sm">
            Sign in to Parley
          </Title>
          <Text c="dimmed" size="sm">
            The admin page of this chat server
          </Text>
        </Stack>
        <div className={`card ${classes.card}`}>
          {linkRefused && (
            <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} mb="md" role="alert">
              That sign-in link is not valid any more. A new one is made each time the server starts.
            </Alert>
          )}
          <AdministratorForm />
        </div>
        <Stack align="center" mt="lg" gap={0}>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setLinkOpen((open) => !open)}
            aria-expanded={linkOpen}
            aria-controls="link-help"
          >
            <IconLink size={15} className={classes.inline} /> I run this server: where is my sign-in link?
          </Anchor>
          <Collapse expanded={linkOpen} id="link-help" w="100%">
            <SignInByLink />
          </Collapse>
        </Stack>
      </main>
    </div>
  )
}

function AdministratorForm() {
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { realm: '', email: '', password: '' },
    validate: {
      realm: required('the name of the realm'),
      email: emailProblem,
      password: (value) => (value ? null : 'Enter your password.'),
    },
  })
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) =>
      adminApi.signIn(values.realm.trim().toLowerCase(), values.email.trim(), values.password),
    onSuccess: ({ session }) => client.setQueryData(keys.session, session),
    onError: () => form.getInputNode('password')?.focus(),
  })
  return (
    <form
      onSubmit={form.onSubmit((values) => signIn.mutate(values))}
      noValidate
      aria-label="Administrator sign-in"
    >
      <Stack>
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
        <Text size="xs" c="dimmed" ta="center">
          For owners and administrators of a realm.
        </Text>
      </Stack>
    </form>
  )
}
