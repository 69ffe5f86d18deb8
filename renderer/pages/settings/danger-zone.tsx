import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { messageOf, notifySuccess } from '../../base/notify.tsx'
import { Section } from '../../base/section.tsx'
import { paths } from '../../router.ts'
import classes from './settings.module.css'

interface Props {
  client: RealmClient
  /** What the organization is called. */
  name: string
  isOwner: boolean
}

export function DangerZone({ client, name, isOwner }: Props) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const done = () => {
    notifySuccess(`${name} is closed.`)
    client.forget()
    navigate(paths.overview())
    void queries.invalidateQueries()
  }
  return (
    <Section title="Danger zone">
      <Group justify="space-between" gap="md">
        <div className={classes.sentence}>
          <Text size="sm" fw={500}>
            Close this realm
          </Text>
          <Text size="xs" c="dimmed">
            Signs everybody out. Nothing is deleted: whoever runs the server can open it again.
            {!isOwner && ' Only owners can close it.'}
          </Text>
        </div>
        <Button
          color="red"
          variant="outline"
          disabled={!isOwner}
          onClick={() => openClose(client, name, done)}
        >
          Close this realm…
        </Button>
      </Group>
    </Section>
  )
}

function openClose(client: RealmClient, name: string, done: () => void): void {
  const modalId = openDialog({
    title: `Close ${name}?`,
    children: (
      <Close
        client={client}
        name={name}
        cancel={() => modals.close(modalId)}
        done={() => {
          modals.close(modalId)
          done()
        }}
      />
    ),
  })
}

interface CloseProps {
  client: RealmClient
  name: string
  cancel: () => void
  done: () => void
}

/** Asks to type the name: this is nothing to be clicked by mistake. */
function Close({ client, name, cancel, done }: CloseProps) {
  const [typed, setTyped] = useState('')
  const close = useMutation({
    mutationFn: () => client.call('POST', '/realm/deactivate'),
    onSuccess: done,
  })
  const isSure = typed.trim() === name.trim()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isSure) close.mutate()
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Everybody is signed out at once, and no client, bot or script gets in any more, this page neither.
          Messages and files stay where they are. Only whoever runs the server can open it again.
        </Text>
        <TextInput
          label={`Type “${name}” to go on`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {close.isError && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(close.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={cancel} disabled={close.isPending}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isSure} loading={close.isPending}>
            Close this realm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
