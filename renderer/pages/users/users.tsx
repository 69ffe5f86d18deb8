import { Button } from '@mantine/core'
import { IconRobot, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatCount } from '../../base/format.ts'
import { Page } from '../../base/page.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import { paths } from '../../router.ts'
import { mayCreateBots } from './bots.ts'
import { openCreateBot } from './create-bot.tsx'
import { openCreateUser } from './create-user.tsx'
import { selectUsers, type UserFilter } from './select-users.ts'
import { UserFilters } from './user-filters.tsx'
import { type UserOrder, UserTable } from './user-table.tsx'

const everyone: UserFilter = { search: '', roles: [], standing: 'active' }

export function Users() {
  const [, navigate] = useLocation()
  const { realm, client, state, problem, retry } = useRealmLive()
  const [filter, setFilter] = useState(everyone)
  const [order, setOrder] = useState<UserOrder>({ columnAccessor: 'full_name', direction: 'asc' })
  const users = state?.users
  const shown = useMemo(() => selectUsers(users?.values() ?? [], filter, order), [users, filter, order])
  const active = useMemo(() => [...(users?.values() ?? [])].filter((user) => user.is_active).length, [users])
  const create = () => openCreateUser(realm)
  return (
    <Page
      title="Users"
      description={users ? tally(active, users.size - active) : '\u00a0'}
      actions={
        <>
          {state && mayCreateBots(state) && (
            <Button
              variant="default"
              leftSection={<IconRobot size={17} />}
              onClick={() =>
                openCreateBot(client, state, state.me, (id) => navigate(paths.realm(realm, 'users', id)))
              }
            >
              Create bot
            </Button>
          )}
          <Button leftSection={<IconUserPlus size={17} />} onClick={create}>
            Create user
          </Button>
        </>
      }
    >
      <UserFilters filter={filter} onChange={setFilter} />
      <div className="card">
        {!users && problem && (
          <Failure title="The users could not be loaded" error={problem} onRetry={retry} />
        )}
        {!users && !problem && <TableSkeleton label="Loading users" rows={8} />}
        {users && shown.length === 0 && <Nobody filter={filter} reset={() => setFilter(everyone)} />}
        {users && shown.length > 0 && (
          <UserTable
            key={JSON.stringify(filter)}
            users={shown}
            everybody={users}
            order={order}
            onOrder={setOrder}
          />
        )}
      </div>
    </Page>
  )
}

function tally(active: number, deactivated: number): string {
  return deactivated === 0
    ? `${formatCount(active)} active`
    : `${formatCount(active)} active, ${formatCount(deactivated)} deactivated`
}

function Nobody({ filter, reset }: { filter: UserFilter; reset: () => void }) {
  if (filter.standing === 'deactivated' && !filter.search && filter.roles.length === 0) {
    return (
      <Empty icon={<IconUsers size={24} />} title="Nobody is deactivated">
        Deactivated users keep their messages but can no longer sign in. They would be listed here.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconUsers size={24} />}
      title="No user matches"
      action={
        <Button variant="default" onClick={reset}>
          Clear the filters
        </Button>
      }
    >
      Nobody in this realm fits what you searched for.
    </Empty>
  )
}
