import {
  Button,
  Center,
  Loader,
  localStorageColorSchemeManager,
  MantineProvider,
  Stack,
  Text,
} from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { onConnectionChange, connection } from '../base/connection.ts'
import { Mark } from '../base/mark.tsx'
import { messageOf } from '../base/notify.tsx'
import { useConnection } from '../base/use-connection.ts'
import { SignIn } from '../pages/sign-in/sign-in.tsx'
import { createQueryClient, type TokenOnce, useSessionQuery } from './queries.ts'
import { SessionProvider } from './session-context.tsx'
import { Shell } from './shell.tsx'
import { cssVariables, theme } from './theme.ts'

const colorSchemeManager = localStorageColorSchemeManager()

export function App({ token }: { token: string | null }) {
  const [client] = useState(createQueryClient)
  const [once] = useState<TokenOnce>({ value: token, refused: false, ended: false })
  useEffect(
    () =>
      onConnectionChange(() => {
        if (connection().state === 'online') void client.invalidateQueries()
      }),
    [client],
  )
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={client}>
        <Router hook={useHashLocation}>
          <ModalsProvider modalProps={{ withinPortal: false }}>
            {/* Not at the right: there are the buttons of every row. */}
            <Notifications position="top-center" limit={3} withinPortal={false} />
            <Gate token={once} />
          </ModalsProvider>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  )
}

function Gate({ token }: { token: TokenOnce }) {
  const session = useSessionQuery(token)
  if (session.data) {
    return (
      <SessionProvider value={session.data}>
        <Shell />
      </SessionProvider>
    )
  }
  if (session.isPending) return <Opening />
  if (session.isError) return <Unable error={session.error} retry={() => void session.refetch()} />
  return <SignIn linkRefused={token.refused} ended={token.ended} />
}

function Opening() {
  const { state } = useConnection()
  return (
    <Center mih="100dvh" component="main">
      <Stack align="center" gap="md" role="status">
        <Mark size={44} />
        <Loader size="sm" type="dots" />
        <Text size="sm" c="dimmed">
          {state === 'lost' ? 'Waiting for the server to answer…' : 'Opening Parley…'}
        </Text>
      </Stack>
    </Center>
  )
}

function Unable({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Center mih="100dvh" component="main" p="md">
      <Stack align="center" gap="md" ta="center" role="alert">
        <Mark size={44} />
        <Text fw={600}>Parley could not be opened</Text>
        <Text size="sm" c="dimmed" maw={420}>
          {messageOf(error)}
        </Text>
        <Button onClick={retry}>Try again</Button>
      </Stack>
    </Center>
  )
}
