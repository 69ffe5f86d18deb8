import { Button, Code, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../admin/queries.ts'
import { tokenIn } from '../../admin/session.ts'
import { adminApi } from '../../api.ts'
import { messageOf } from '../../base/notify.tsx'
import classes from './sign-in.module.css'

/** Where the operator finds the link, and a place to paste it. */
export function SignInByLink() {
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { link: '' },
    validate: {
      link: (value) => (tokenFrom(value) ? null : 'Paste the whole link, with the part after “#token=”.'),
    },
  })
  const open = useMutation({
    mutationFn: ({ link }: { link: string }) => adminApi.signInByToken(tokenFrom(link) ?? ''),
    onSuccess: ({ session }) => client.setQueryData(keys.session, session),
    onError: (error) => form.setFieldError('link', messageOf(error)),
  })
  return (
    <div className={classes.help}>
      <ul>
        <li>In the desktop app, this page opens signed in. The tray menu opens it again.</li>
        <li>
          Started from a terminal, the server prints the link there when it is ready, as <Code>adminUrl</Code>
          .
        </li>
      </ul>
      <form onSubmit={form.onSubmit((values) => open.mutate(values))} noValidate>
        <Group align="flex-start" gap="xs" wrap="nowrap" mt="sm">
          <TextInput
            flex={1}
            aria-label="Sign-in link"
            placeholder="Paste the link here"
            autoComplete="off"
            spellCheck={false}
            key={form.key('link')}
            {...form.getInputProps('link')}
          />
          <Button type="submit" variant="default" loading={open.isPending}>
            Open
          </Button>
        </Group>
      </form>
      <Text size="xs" c="dimmed" mt="xs">
        The link lets its holder do everything on this server. Share it with nobody.
      </Text>
    </div>
  )
}

function tokenFrom(pasted: string): string | null {
  const text = pasted.trim()
  const hash = text.indexOf('#')
  return hash >= 0 ? tokenIn(text.slice(hash)) : null
}
