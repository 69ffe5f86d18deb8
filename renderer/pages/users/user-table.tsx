import { Text } from '@mantine/core'
import type { DataTableColumn } from 'mantine-datatable'
import { useIsOperator } from '../../admin/session-context.tsx'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatDate, formatMoment } from '../../base/format.ts'
import { Person } from '../../base/person.tsx'
import { Tag } from '../../base/tag.tsx'
import { DataGrid, HiddenTitle, type Order } from '../../base/table.tsx'
import type { User } from '../../live.ts'
import { paths } from '../../router.ts'
import { RoleMenu } from './role-menu.tsx'
import type { UserColumn } from './select-users.ts'
import { UserActions } from './user-actions.tsx'

export type UserOrder = Order<UserColumn>

interface Props {
  users: User[]
  everybody: ReadonlyMap<number, User>
  order: UserOrder
  onOrder: (order: UserOrder) => void
}

const PAGE_SIZE = 25

export function UserTable({ users, everybody, order, onOrder }: Props) {
  const { realm, state } = useRealmLive()
  const operator = useIsOperator()
  const columns: DataTableColumn<User>[] = [
    {
      accessor: 'full_name',
      title: 'User',
      sortable: true,
      render: (user) => (
        <Person
          id={user.user_id}
          name={user.full_name}
          email={user.delivery_email ?? user.email}
          muted={!user.is_active}
          picture={user.avatar_url}
          to={paths.realm(realm, 'users', user.user_id)}
          badges={
            <UserBadges
              user={user}
              self={!operator && user.user_id === state?.me}
              owner={everybody.get(user.bot_owner_id ?? -1)}
            />
          }
        />
      ),
    },
    {
      accessor: 'role',
      title: 'Role',
      width: 156,
      sortable: true,
      render: (user) => <RoleMenu user={user} />,
    },
    {
      accessor: 'date_joined',
      title: 'Joined',
      width: 140,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.sm})`,
      render: (user) => <Joined iso={user.date_joined} />,
    },
    {
      accessor: 'actions',
      title: <HiddenTitle>Actions</HiddenTitle>,
      width: 56,
      textAlign: 'right',
      render: (user) => <UserActions user={user} />,
    },
  ]
  return (
    <DataGrid
      rows={users}
      columns={columns}
      idAccessor="user_id"
      order={order}
      onOrder={onOrder}
      pageSize={PAGE_SIZE}
    />
  )
}

function UserBadges({ user, self, owner }: { user: User; self: boolean; owner: User | undefined }) {
  return (
    <>
      {self && <Tag>You</Tag>}
      {user.is_bot && <Tag title={owner && `Owned by ${owner.full_name}`}>Bot</Tag>}
      {!user.is_active && <Tag>Deactivated</Tag>}
    </>
  )
}

function Joined({ iso }: { iso: string }) {
  const seconds = Date.parse(iso) / 1000
  if (Number.isNaN(seconds)) return null
  return (
    <Text size="sm" c="dimmed" className="numeric" title={formatMoment(seconds)}>
      {formatDate(seconds)}
    </Text>
  )
}
