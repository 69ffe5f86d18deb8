import { Button } from '@mantine/core'
import { IconBuildingCommunity, IconMapQuestion } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link, Route, Switch } from 'wouter'
import { Page } from '../base/page.tsx'
import { Empty, TableSkeleton } from '../base/states.tsx'
import { Backups } from '../pages/backups/backups.tsx'
import { Channels } from '../pages/channels/channels.tsx'
import { Overview } from '../pages/realms/overview.tsx'
import { Users } from '../pages/users/users.tsx'
import { paths, routes } from '../router.ts'
import { useRealms } from './queries.ts'
import { RealmLive } from './realm-live.tsx'

// The chart library is needed here only.
const Activity = lazy(() => import('../pages/activity/activity.tsx').then((m) => ({ default: m.Activity })))

export function Rooms() {
  return (
    <Switch>
      <Route path={routes.overview}>
        <Overview />
      </Route>
      <Route path={routes.backups}>
        <Backups />
      </Route>
      <Route path={routes.activity}>
        <Suspense fallback={<Loading title="Activity" />}>
          <Activity realm={null} />
        </Suspense>
      </Route>
      <Route path={routes.realmActivity}>
        {({ realm }) => (
          <Suspense fallback={<Loading title="Activity" />}>
            <Activity realm={decodeURIComponent(realm)} key={realm} />
          </Suspense>
        )}
      </Route>
      <Route path="/realms/:realm/:page">
        {({ realm, page }) => <RealmRoom realm={decodeURIComponent(realm)} page={page} />}
      </Route>
      <Route>
        <Nowhere />
      </Route>
    </Switch>
  )
}

/** Users and channels share one live copy of the realm: moving between them costs nothing. */
function RealmRoom({ realm, page }: { realm: string; page: string }) {
  const { data: realms, isPending } = useRealms()
  if (page !== 'users' && page !== 'channels') return <Nowhere />
  if (isPending) return <Loading title={page === 'users' ? 'Users' : 'Channels'} />
  if (realms && !realms.some(({ name }) => name === realm)) return <NoSuchRealm realm={realm} />
  return (
    <RealmLive realm={realm} key={realm}>
      {page === 'users' ? <Users /> : <Channels />}
    </RealmLive>
  )
}

function Loading({ title }: { title: string }) {
  return (
    <Page title={title}>
      <div className="card">
        <TableSkeleton label={`Loading ${title}`} />
      </div>
    </Page>
  )
}

function NoSuchRealm({ realm }: { realm: string }) {
  return (
    <Page title="Realm not found">
      <div className="card">
        <Empty
          icon={<IconBuildingCommunity size={24} />}
          title={`There is no realm named “${realm}” here`}
          action={<Home />}
        >
          It may have been named differently, or this sign-in may not see it.
        </Empty>
      </div>
    </Page>
  )
}

function Nowhere() {
  return (
    <Page title="Page not found">
      <div className="card">
        <Empty icon={<IconMapQuestion size={24} />} title="This address leads nowhere" action={<Home />} />
      </div>
    </Page>
  )
}

function Home() {
  return (
    <Button component={Link} href={paths.overview()} variant="default">
      Go to the overview
    </Button>
  )
}
