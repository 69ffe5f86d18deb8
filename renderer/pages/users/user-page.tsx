import { Alert, Button, Group, Text } from '@mantine/core'
import { IconKey, IconLock, IconUser } from '@tabler/icons-react'
import { Link } from 'wouter'
import { type LiveRealm, useRealmLive } from '../../admin/realm-live.tsx'
import { formatDate } from '../../base/format.ts'
import { groupsOf } from '../../base/groups.ts'
import { NotShown } from '../../base/not-shown.tsx'
import { Page } from '../../base/page.tsx'
import { Section } from '../../base/section.tsx'
import { Tag } from '../../base/tag.tsx'
import type { RealmState, User } from '../../live.ts'
import { paths } from '../../router.ts'
import { BotSection } from './bot-section.tsx'
import { OwnBots } from './own-bots.tsx'
import { Picture } from './picture.tsx'
import { ProfileForm } from './profile-form.tsx'
import { mayChange, roleLabel } from './roles.ts'
import { openNewPassword } from './new-password.tsx'
import { renewKey, UserActions } from './user-actions.tsx'
import classes from './users.module.css'

export function UserPage({ id }: { id: number }) {
  const live = useRealmLive()
  const { realm, state } = live
  const back = { to: paths.realm(realm, 'users'), label: 'Users' }
  const user = state?.users.get(id)
  if (state && user) return <Known live={live} state={state} user={user} back={back} />
  return <NotShown what="user" back={back} icon={<IconUser size={24} />} live={live} />
}

interface KnownProps {
  live: LiveRealm
  state: RealmState
  user: User
  back: { to: string; label: string }
}

function Known({ live: { client }, state, user, back }: KnownProps) {
  const may = mayChange(state, user)
  const self = user.user_id === state.me
  const joined = formatDate(Date.parse(user.date_joined) / 1000)
  return (
    <Page
      title={user.full_name}
      back={back}
      description={`${user.is_bot ? 'Bot' : roleLabel(user.role)} · since ${joined}`}
      actions={<UserActions user={user} wide />}
    >
      {!user.is_active && (
        <Alert color="gray" variant="default" mb="md">
          This account is deactivated: nobody can sign in with it. Its messages stay.
        </Alert>
      )}
      <Section title="Profile">
        <Picture user={user} self={self} />
        <ProfileForm key={user.user_id} user={user} state={state} disabled={!may || !user.is_active} />
      </Section>
      {user.is_bot && <BotSection user={user} state={state} key={`bot ${user.user_id}`} />}
      <Groups user={user} state={state} />
      {!user.is_bot && <OwnBots owner={user} state={state} />}
      {!user.is_bot && user.is_active && may && (
        <Section title="Signing in" description="Nobody is told of these: hand the new one on yourself.">
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconLock size={17} />}
              onClick={() => openNewPassword(client, user, state)}
            >
              Set a password
            </Button>
            <Button
              variant="default"
              leftSection={<IconKey size={17} />}
              onClick={() => renewKey(client, user, self)}
            >
              New API key
            </Button>
          </Group>
        </Section>
      )}
    </Page>
  )
}

function Groups({ user, state }: { user: User; state: RealmState }) {
  const { realm } = useRealmLive()
  const groups = groupsOf(state.groups, user.user_id).filter(({ group }) => !group.is_system_group)
  return (
    <Section title="Groups" description={groups.length === 0 && 'In no group beside the role’s own.'}>
      {groups.length === 0 ? (
        <Button component={Link} href={paths.realm(realm, 'groups')} variant="default" size="xs">
          See all groups
        </Button>
      ) : (
        <ul className={classes.plain}>
          {groups.map(({ group, direct }) => (
            <li key={group.id} className={classes.line}>
              <Text component={Link} href={paths.realm(realm, 'groups', group.id)} className={classes.link}>
                {group.name}
              </Text>
              {!direct && <Tag>Through another group</Tag>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
