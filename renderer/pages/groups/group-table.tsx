import { Text } from '@mantine/core'
import type { DataTableColumn } from 'mantine-datatable'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatCount } from '../../base/format.ts'
import { describeValue, groupDescription } from '../../base/groups.ts'
import { Named } from '../../base/named.tsx'
import { DataGrid } from '../../base/table.tsx'
import { Tag } from '../../base/tag.tsx'
import type { RealmState } from '../../live.ts'
import { paths } from '../../router.ts'
import { GroupIcon } from './group-icon.tsx'
import type { GroupOrder, GroupRow } from './select-groups.ts'

interface Props {
  rows: GroupRow[]
  state: RealmState
  order: GroupOrder
  onOrder: (order: GroupOrder) => void
}

export function GroupTable({ rows, state, order, onOrder }: Props) {
  const { realm } = useRealmLive()
  const columns: DataTableColumn<GroupRow>[] = [
    {
      accessor: 'name',
      title: 'Group',
      sortable: true,
      render: ({ id, group, name }) => (
        <Named
          icon={<GroupIcon group={group} />}
          name={name}
          to={paths.realm(realm, 'groups', id)}
          badges={group.deactivated && <Tag>Deactivated</Tag>}
          detail={groupDescription(group) || 'No description'}
        />
      ),
    },
    {
      accessor: 'manage',
      title: 'Managed by',
      width: 220,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.md})`,
      render: ({ group }) => {
        const managers = group.is_system_group
          ? 'Follows from roles'
          : describeValue(state, group.can_manage_group)
        return (
          <Text size="sm" c="dimmed" className="clip" title={managers}>
            {managers}
          </Text>
        )
      },
    },
    {
      accessor: 'members',
      title: 'People',
      width: 100,
      sortable: true,
      textAlign: 'right',
      render: ({ members }) => <span className="numeric">{formatCount(members)}</span>,
    },
  ]
  return (
    <DataGrid rows={rows} columns={columns} idAccessor="id" order={order} onOrder={onOrder} pageSize={25} />
  )
}
