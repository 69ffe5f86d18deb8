import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { openDialog } from './dialog.ts'
import { type ReactNode, useState } from 'react'
import { messageOf } from './notify.tsx'

interface Question {
  title: string
  body: ReactNode
  /** The verb on the button: "Deactivate", "Drop queue". */
  verb: string
  danger?: boolean
  action: () => Promise<unknown>
  done?: () => void
}

/** Asks, does it, and stays open with the reason when it did not work. */
export function confirm(question: Question): void {
  const modalId = openDialog({
    title: question.title,
    size: 'md',
    children: <Confirmation question={question} close={() => modals.close(modalId)} />,
  })
}

function Confirmation({ question, close }: { question: Question; close: () => void }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await question.action()
      close()
      question.done?.()
    } catch (reason) {
      setError(messageOf(reason))
      setBusy(false)
    }
  }
  return (
    <Stack>
      <Text component="div" size="sm" c="dimmed">
        {question.body}
      </Text>
      {error && (
        <Alert color="red" variant="light" role="alert">
          {error}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close} disabled={busy} data-autofocus>
          Cancel
        </Button>
        <Button color={question.danger ? 'red' : undefined} onClick={() => void run()} loading={busy}>
          {question.verb}
        </Button>
      </Group>
    </Stack>
  )
}
