import { Button, FileButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { PersonAvatar } from '../../base/person.tsx'
import type { User } from '../../live.ts'
import classes from './users.module.css'

/** The picture of somebody; one's own can be changed. */
export function Picture({ user, self }: { user: User; self: boolean }) {
  const { client } = useRealmLive()
  const upload = useMutation({
    mutationFn: (file: File) => client.upload('/users/me/avatar', file, () => undefined),
    onSuccess: () => notifySuccess('The new picture is there.'),
    onError: notifyFailure,
  })
  const remove = useMutation({
    mutationFn: () => client.call('DELETE', '/users/me/avatar'),
    onSuccess: () => notifySuccess('The picture is removed.'),
    onError: notifyFailure,
  })
  return (
    <div className={classes.picture}>
      <PersonAvatar id={user.user_id} name={user.full_name} picture={user.avatar_url} size={64} />
      {self && (
        <Group gap="sm">
          <FileButton
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={(file) => file && upload.mutate(file)}
            inputProps={{ 'aria-label': 'Picture to upload' }}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={upload.isPending}>
                Change picture
              </Button>
            )}
          </FileButton>
          {user.avatar_url && (
            <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
              Remove
            </Button>
          )}
        </Group>
      )}
      {!self && !user.is_bot && (
        <Text size="sm" c="dimmed">
          Everybody chooses their own picture, in their chat app.
        </Text>
      )}
    </div>
  )
}
