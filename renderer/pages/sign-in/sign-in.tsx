import { Alert, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { ColorSchemeMenu } from '../../admin/color-scheme-menu.tsx'
import { ConnectionBanner } from '../../admin/connection-banner.tsx'
import { Mark } from '../../base/mark.tsx'
import { AdministratorForm } from './administrator-form.tsx'
import { keptWay } from './kept-way.ts'
import { OperatorLink } from './operator-link.tsx'
import classes from './sign-in.module.css'

/** For those who came without the link, with an old one, or as an administrator of one realm. */
export function SignIn({ linkRefused, ended }: { linkRefused: boolean; ended: boolean }) {
  useEffect(() => {
    document.title = 'Sign in · Parley'
  }, [])
  return (
    <div className={classes.page}>
      <ConnectionBanner />
      <div className={classes.scheme}>
        <ColorSchemeMenu />
      </div>
      <main className={classes.main}>
        <Stack align="center" gap={6} mb="lg" ta="center">
          <Mark size={48} />
          <Title order={1} size={24} mt="sm">
            Sign in to Parley
          </Title>
          <Text c="dimmed" size="sm">
            The admin page of this chat server
          </Text>
        </Stack>
        {ended && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} mb="md" role="alert">
            Your sign-in has ended. Sign in again to go on.
          </Alert>
        )}
        {linkRefused && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} mb="md" role="alert">
            That sign-in link is not valid any more. Use the server’s present one.
          </Alert>
        )}
        <Tabs defaultValue={linkRefused ? 'operator' : keptWay()} className={`card ${classes.card}`}>
          <Tabs.List grow aria-label="Who are you?">
            <Tabs.Tab value="operator">I run this server</Tabs.Tab>
            <Tabs.Tab value="administrator">I administer a realm</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="operator" className={classes.panel}>
            <OperatorLink />
          </Tabs.Panel>
          <Tabs.Panel value="administrator" className={classes.panel}>
            <AdministratorForm />
          </Tabs.Panel>
        </Tabs>
        <div id="floating" />
      </main>
    </div>
  )
}
