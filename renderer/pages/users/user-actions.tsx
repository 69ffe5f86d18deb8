import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconChevronDown,
  IconCopy,
  IconDots,
  IconKey,
  IconPencil,
  IconUser,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { Link } from 'wouter'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { adminApi, type RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { copyText } from '../../base/copy.tsx'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { showSecret } from '../../base/secret.tsx'
import type { User } from '../../live.ts'
import { paths } from '../../router.ts'
import { renewBotKey } from './bot-section.tsx'
import { mayChange } from './roles.ts'
import { openRenameUser } from './rename-user.tsx'

/** @param wide on the page about the user, where a button with words has room */
export function UserActions({ user, wide = false }: { user: User; wide?: boolean }) {
  const { realm, client, state } = useRealmLive()
  const may = state !== undefined && mayChange(state, user)
  const self = user.user_id === state?.me
  const email = user.delivery_email ?? user.email
  return (
    <Menu position="bottom-end" width={220} shadow="md">
      <Menu.Target>
        {wide ? (
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Actions
          </Button>
        ) : (
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.full_name}`}>
            <IconDots size={18} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {!wide && (
          <Menu.Item
            component={Link}
            href={paths.realm(realm, 'users', user.user_id)}
            leftSection={<IconUser size={16} />}
          >
            Profile
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconCopy size={16} />}
          onClick={() => void copyText(email).then(() => notifySuccess(`Copied ${email}`), notifyFailure)}
        >
          Copy email
        </Menu.Item>
        {may && user.is_active && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => openRenameUser(client, user)}>
              Rename…
            </Menu.Item>
            <Menu.Item
              leftSection={<IconKey size={16} />}
              onClick={() => (user.is_bot ? renewBotKey(client, user) : renewKey(client, user, self))}
            >
              New API key…
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              color="var(--parley-bad)"
              leftSection={<IconUserOff size={16} />}
              onClick={() => deactivate(client, user, self)}
            >
              Deactivate…
            </Menu.Item>
          </>
        )}
        {may && !user.is_active && (
          <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => reactivate(client, user)}>
            Reactivate…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

export function renewKey(client: RealmClient, user: User, self: boolean): void {
  confirm({
    title: `New API key for ${user.full_name}`,
    body: `The key in use now stops working at once: each client of ${user.full_name} has to be given the new one.`,
    verb: 'Make a new key',
    danger: true,
    action: async () => {
      const { api_key } = await adminApi.newApiKey(client.realm, user.user_id)
      // This page may itself be calling with the key that just ended.
      if (self) client.forget()
      const { base_url } = await client.access()
      showSecret({
        title: `API key of ${user.full_name}`,
        intro: 'With these, a chat client or a script signs in.',
        details: [
          { label: 'Address', value: base_url },
          { label: 'Email', value: user.delivery_email ?? user.email },
        ],
        apiKey: api_key,
      })
    },
  })
}

function deactivate(client: RealmClient, user: User, self: boolean): void {
  confirm({
    title: `Deactivate ${user.full_name}?`,
    body: self
      ? 'This is the account this page works with: you would lock yourself out of this realm.'
      : 'They are signed out everywhere and cannot sign in again. Their messages stay, and you can reactivate them.',
    verb: 'Deactivate',
    danger: true,
    action: () => client.call('DELETE', `/users/${user.user_id}`),
    done: () => notifySuccess(`${user.full_name} is deactivated.`),
  })
}

function reactivate(client: RealmClient, user: User): void {
  confirm({
    title: `Reactivate ${user.full_name}?`,
    body: 'They can sign in again, with the role they had.',
    verb: 'Reactivate',
    action: () => client.call('POST', `/users/${user.user_id}/reactivate`),
    done: () => notifySuccess(`${user.full_name} is active again.`),
  })
}
