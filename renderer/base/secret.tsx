import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { openDialog } from './dialog.ts'
import { IconEyeOff } from '@tabler/icons-react'
import { CopyField } from './copy.tsx'

interface Secret {
  title: string
  intro: string
  /** Shown beside the key, for those who set up a client: address, email. */
  details: { label: string; value: string }[]
  apiKey: string
  done?: { verb: string; action: () => void }
}

/** Shows an API key the one time it can be shown. A stray click or Escape must not lose it. */
export function showSecret({ title, intro, details, apiKey, done }: Secret): void {
  const modalId = openDialog({
    title,
    size: 'lg',
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Text size="sm" c="dimmed">
          {intro}
        </Text>
        {details.map(({ label, value }) => (
          <CopyField key={label} label={label} value={value} what={label.toLowerCase()} />
        ))}
        <CopyField label="API key" value={apiKey} what="API key" />
        <Alert color="yellow" variant="light" icon={<IconEyeOff size={18} />}>
          This key is shown only now. Keep it like a password: whoever has it can act as this user.
        </Alert>
        <Group justify="flex-end" gap="sm">
          {done && (
            <Button
              variant="default"
              onClick={() => {
                modals.close(modalId)
                done.action()
              }}
            >
              {done.verb}
            </Button>
          )}
          <Button onClick={() => modals.close(modalId)} data-autofocus>
            I have saved it
          </Button>
        </Group>
      </Stack>
    ),
  })
}
