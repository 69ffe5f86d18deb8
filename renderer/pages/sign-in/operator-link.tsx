import { Button, Code, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../admin/queries.ts'
import { tokenIn } from '../../admin/session.ts'
import { adminApi } from '../../api.ts'
import { messageOf } from '../../base/notify.tsx'
import { keepWay } from './kept-way.ts'
import classes from './sign-in.module.css'

/** Where the operator finds the link, and a place to paste it. */
export function OperatorLink() {
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
    onSuccess: ({ session }) => {
      keepWay(session)
      client.setQueryData(keys.session, session)
    },
    onError: (error) => form.setFieldError('link', messageOf(error)),
  })
  return (
    <form onSubmit={form.onSubmit((values) => open.mutate(values))} noValidate>
      <Stack>
        <div className={classes.help}>
          <p>This page opens by a link that only this server’s operator has:</p>
          <ul>
            <li>
              <b>In the desktop app</b> it is opened for you, and again by the app’s menu.
            </li>
            <li>
              <b>From a terminal</b>, the server prints it when it is ready, as <Code>adminUrl</Code>.
            </li>
          </ul>
        </div>
        <TextInput
          label="Sign-in link"
          placeholder={`${window.location.origin}/admin/#token=…`}
          autoComplete="off"
          spellCheck={false}
          key={form.key('link')}
          {...form.getInputProps('link')}
        />
        <Button type="submit" fullWidth mt={4} loading={open.isPending}>
          Open
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          Whoever holds the link can do everything here. Share it with nobody.
        </Text>
      </Stack>
    </form>
  )
}

function tokenFrom(pasted: string): string | null {
  const text = pasted.trim()
  const hash = text.indexOf('#')
  return hash >= 0 ? tokenIn(text.slice(hash)) : null
}
