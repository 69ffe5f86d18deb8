import { Button, FileButton, Group } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { notifyFailure, notifySuccess } from './notify.tsx'

interface Props {
  /** What the picture is: "icon", "logo by day". */
  what: string
  upload: (file: File) => Promise<unknown>
  /** Absent where there is nothing to be removed. */
  remove?: (() => Promise<unknown>) | undefined
}

/** Gives something a picture, another one, or none. */
export function PictureButtons({ what, upload, remove }: Props) {
  const reset = useRef<() => void>(null)
  const uploading = useMutation({
    mutationFn: upload,
    onSuccess: () => notifySuccess(`The ${what} is saved.`),
    onError: notifyFailure,
    // The same file may be chosen once more.
    onSettled: () => reset.current?.(),
  })
  const removing = useMutation({
    mutationFn: async () => remove?.(),
    onSuccess: () => notifySuccess(`The ${what} is removed.`),
    onError: notifyFailure,
  })
  return (
    <Group gap="xs">
      <FileButton
        resetRef={reset}
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(file) => file && uploading.mutate(file)}
        inputProps={{ 'aria-label': `File for the ${what}` }}
      >
        {(props) => (
          <Button
            {...props}
            size="xs"
            variant="default"
            leftSection={<IconUpload size={15} />}
            loading={uploading.isPending}
            aria-label={`Upload the ${what}`}
          >
            Upload
          </Button>
        )}
      </FileButton>
      {remove && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={15} />}
          loading={removing.isPending}
          onClick={() => removing.mutate()}
          aria-label={`Remove the ${what}`}
        >
          Remove
        </Button>
      )}
    </Group>
  )
}
