import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconExternalLink, IconFolderOpen, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { desktop } from '../base/desktop.ts'
import { notifyFailure } from '../base/notify.tsx'
import { useSignOut } from './queries.ts'
import { useSession } from './session-context.tsx'

export function AccountMenu() {
  const session = useSession()
  const signOut = useSignOut()
  const app = desktop()
  const operator = session.kind === 'operator'
  return (
    <Menu position="bottom-end" width={256} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Account">
          <IconUserCircle size={21} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)">
            {operator ? 'Server operator' : session.email}
          </Text>
          {operator ? 'Signed in by the link of this server' : `Administrator of ${session.realm}`}
        </Menu.Label>
        <Menu.Divider />
        {app && (
          <>
            <Menu.Item
              leftSection={<IconFolderOpen size={17} />}
              onClick={() => void app.openFolder('data').catch(notifyFailure)}
            >
              Open data folder
            </Menu.Item>
            <Menu.Item
              leftSection={<IconExternalLink size={17} />}
              onClick={() => void app.openInBrowser().catch(notifyFailure)}
            >
              Open in the browser
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconLogout size={17} />}
          onClick={() => signOut.mutate(undefined, { onError: notifyFailure })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
