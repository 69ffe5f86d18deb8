import { Text } from '@mantine/core'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { PersonAvatar } from '../../base/person.tsx'
import { PictureButtons } from '../../base/picture-buttons.tsx'
import type { User } from '../../live.ts'
import classes from './users.module.css'

/** The picture of somebody; one's own can be changed. */
export function Picture({ user, self }: { user: User; self: boolean }) {
  const { client } = useRealmLive()
  return (
    <div className={classes.picture}>
      <PersonAvatar id={user.user_id} name={user.full_name} picture={user.avatar_url} size={64} />
      {self && (
        <PictureButtons
          what="picture"
          upload={(file) => client.upload('/users/me/avatar', file)}
          remove={user.avatar_url ? () => client.call('DELETE', '/users/me/avatar') : undefined}
        />
      )}
      {!self && !user.is_bot && (
        <Text size="sm" c="dimmed">
          Everybody chooses their own picture, in their chat app.
        </Text>
      )}
    </div>
  )
}
