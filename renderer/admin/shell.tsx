import { AppShell, Burger, Drawer, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import { RealmSwitcher } from './realm-switcher.tsx'
import { Rooms } from './rooms.tsx'
import { ServerStatus } from './server-status.tsx'
import { StorageBanner } from './storage-banner.tsx'
import classes from './shell.module.css'

export function Shell() {
  const [drawer, { open, close }] = useDisclosure(false)
  const [location] = useLocation()
  // Going anywhere closes the drawer.
  useEffect(close, [close, location])
  return (
    <AppShell
      layout="alt"
      header={{ height: 60 }}
      navbar={{ width: 244, breakpoint: 'md', collapsed: { mobile: true } }}
      padding={0}
      transitionDuration={0}
    >
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          // The hash belongs to the router.
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to the page
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={drawer}
          onClick={open}
          hiddenFrom="md"
          size="sm"
          aria-label="Open navigation"
          aria-expanded={drawer}
        />
        <RealmSwitcher />
        <Group gap={4} ml="auto" wrap="nowrap">
          <ColorSchemeMenu />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} visibleFrom="md">
        <Brand />
        <Navigation />
        <ServerStatus />
      </AppShell.Navbar>
      <Drawer
        opened={drawer}
        onClose={close}
        size={288}
        padding={0}
        hiddenFrom="md"
        title={<Brand />}
        classNames={{ body: classes.drawer, content: classes.drawerContent, header: classes.drawerHeader }}
        closeButtonProps={{ 'aria-label': 'Close navigation', mr: 'md' }}
      >
        <Navigation />
        <ServerStatus />
      </Drawer>
      <AppShell.Main className={classes.main} id="main" tabIndex={-1}>
        <ConnectionBanner />
        <StorageBanner />
        <Rooms />
        <div id="floating" />
      </AppShell.Main>
    </AppShell>
  )
}
