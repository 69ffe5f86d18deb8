import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { Linkifier } from '../../live.ts'
import classes from './links.module.css'

/** @param linkifier null: a new one */
export function openLinkifier(client: RealmClient, linkifier: Linkifier | null): void {
  const modalId = openDialog({
    title: linkifier ? 'Edit link' : 'Create link',
    size: 'lg',
    children: <EditLinkifier client={client} linkifier={linkifier} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  linkifier: Linkifier | null
  close: () => void
}

function EditLinkifier({ client, linkifier, close }: Props) {
  const form = useForm({
    initialValues: { pattern: linkifier?.pattern ?? '', url_template: linkifier?.url_template ?? '' },
    validate: { pattern: required('a pattern'), url_template: required('an address') },
  })
  const [text, setText] = useState('')
  const save = useMutation({
    mutationFn: (fields: typeof form.values) =>
      linkifier
        ? client.call('PATCH', `/realm/filters/${linkifier.id}`, fields)
        : client.call('POST', '/realm/filters', fields),
    onSuccess: () => {
      close()
      notifySuccess('The link is saved.')
    },
    onError: (error) =>
      showFormError(form, error, {
        url_template: /url template/i,
        pattern: /pattern|expression|linkifier/i,
      }),
  })
  return (
    <form onSubmit={form.onSubmit((fields) => save.mutate(fields))} noValidate>
      <Stack>
        <TextInput
          label="Pattern"
          description="A regular expression (RE2). What the address needs stands in named groups."
          placeholder={String.raw`#(?P<id>\d+)`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          classNames={{ input: classes.code }}
          {...form.getInputProps('pattern')}
        />
        <TextInput
          label="Address"
          description="With the groups’ names in braces (RFC 6570)."
          placeholder="https://tickets.example.org/{id}"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes.code }}
          {...form.getInputProps('url_template')}
        />
        <TextInput
          label="Try it"
          placeholder="Write something that it should find"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Trial {...form.values} text={text} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {linkifier ? 'Save' : 'Create link'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Trial({ pattern, url_template, text }: { pattern: string; url_template: string; text: string }) {
  const { data: trial } = useQuery({
    queryKey: ['try-linkifier'],
    queryFn: async () => (await import('./try-linkifier.ts')).tryLinkifier,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isReady = pattern && url_template && text
  const pieces = isReady && trial ? trial({ pattern, url_template }, text) : []
  const links = pieces?.filter(({ url }) => url !== undefined)
  return (
    <div className={classes.result} role="status" aria-label="What becomes of it">
      {!isReady && <Dimmed>What becomes of it is shown here.</Dimmed>}
      {pieces === null && <Dimmed>The pattern is not a regular expression yet.</Dimmed>}
      {pieces?.map(({ text: words, url }, index) => (
        <span key={index} className={url === undefined ? undefined : classes.found}>
          {words}
        </span>
      ))}
      {isReady && links?.length === 0 && <Dimmed>It finds nothing in this.</Dimmed>}
      {links?.map(({ url }, index) => (
        <div key={index} className={classes.address}>
          {url}
        </div>
      ))}
    </div>
  )
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
