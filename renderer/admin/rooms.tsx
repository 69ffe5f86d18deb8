import { Button } from '@mantine/core'
import { IconBuildingCommunity, IconMapQuestion } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, Route, Switch } from 'wouter'
import { Page } from '../base/page.tsx'
import { Empty, TableSkeleton } from '../base/states.tsx'
import { Backups } from '../pages/backups/backups.tsx'
import { ChannelRoom } from '../pages/channels/channel-room.tsx'
import { GroupRoom } from '../pages/groups/group-room.tsx'
import { Emoji } from '../pages/emoji/emoji.tsx'
import { Invitations } from '../pages/invitations/invitations.tsx'
import { Links } from '../pages/links/links.tsx'
import { ProfileFields } from '../pages/profile-fields/profile-fields.tsx'
import { ClosedRealm } from '../pages/realms/closed-realm.tsx'
import { Overview } from '../pages/realms/overview.tsx'
import { Settings } from '../pages/settings/settings.tsx'
import { UserRoom } from '../pages/users/user-room.tsx'
import { paths, type RealmPage, routes } from '../router.ts'
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
      <Route path={routes.realm}>
        {({ realm, page, item }) => <RealmRoom realm={decodeURIComponent(realm)} page={page} item={item} />}
      </Route>
      <Route>
        <Nowhere />
      </Route>
    </Switch>
  )
}

interface RoomProps {
  /** The number in the address, of one thing among those that the page is about. */
  item: number | null
}

const rooms: Record<RealmPage, { title: string; Room: (props: RoomProps) => ReactNode; hasItems?: true }> = {
  users: { title: 'Users', Room: UserRoom, hasItems: true },
  groups: { title: 'Groups', Room: GroupRoom, hasItems: true },
  invitations: { title: 'Invitations', Room: Invitations },
  channels: { title: 'Channels', Room: ChannelRoom, hasItems: true },
  emoji: { title: 'Emoji', Room: Emoji },
  settings: { title: 'Settings', Room: Settings },
  'profile-fields': { title: 'Profile fields', Room: ProfileFields },
  links: { title: 'Links', Room: Links },
}

/** The pages of a realm share one live copy of it: moving between them costs nothing. */
function RealmRoom({ realm, page, item }: { realm: string; page: string; item: string | undefined }) {
  const { data: realms, isPending } = useRealms()
  const room = Object.hasOwn(rooms, page) ? rooms[page as RealmPage] : undefined
  if (!room || (item !== undefined && !(room.hasItems && /^\d+$/.test(item)))) return <Nowhere />
  if (isPending) return <Loading title={room.title} />
  const found = realms?.find(({ name }) => name === realm)
  if (realms && !found) return <NoSuchRealm realm={realm} />
  if (found?.is_deactivated) return <ClosedRealm realm={found} />
  return (
    <RealmLive realm={realm} key={realm}>
      <room.Room item={item === undefined ? null : Number(item)} key={`${page} ${item}`} />
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
