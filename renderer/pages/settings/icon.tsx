import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { RealmSnapshot } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import classes from './settings.module.css'

/** The organization's picture: its own, or the one that the server draws. */
export function Icon({ client, settings }: { client: RealmClient; settings: RealmSnapshot }) {
  const reset = useRef<() => void>(null)
  const upload = useMutation({
    mutationFn: (file: File) => client.upload('/realm/icon', file, () => undefined),
    onSuccess: () => notifySuccess('The icon is saved.'),
    onError: notifyFailure,
    onSettled: () => reset.current?.(),
  })
  const remove = useMutation({
    mutationFn: () => client.call('DELETE', '/realm/icon'),
    onError: notifyFailure,
  })
  // Below whatever name this page is reached under.
  const { pathname, search } = new URL(settings.realm_icon_url, location.origin)
  return (
    <Group gap="md" mb="lg" wrap="nowrap">
      <img className={classes.icon} src={pathname + search} alt="" width={72} height={72} />
      <div>
        <Group gap="xs" mb={6}>
          <FileButton
            resetRef={reset}
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={(file) => file && upload.mutate(file)}
            inputProps={{ 'aria-label': 'Picture for the icon' }}
          >
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                leftSection={<IconUpload size={15} />}
                loading={upload.isPending}
              >
                Upload an icon
              </Button>
            )}
          </FileButton>
          {settings.realm_icon_source === 'U' && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={15} />}
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              Remove it
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          A square picture of up to {settings.max_icon_file_size_mib} MB; others are cut to the middle.
        </Text>
      </div>
    </Group>
  )
}
