import { Button, Group as Row, SegmentedControl } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatQuantity } from '../../base/format.ts'
import { holds } from '../../base/groups.ts'
import { Page } from '../../base/page.tsx'
import { Search } from '../../base/search.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import { paths } from '../../router.ts'
import { openCreateGroup } from './create-group.tsx'
import { GroupTable } from './group-table.tsx'
import { type GroupFilter, type GroupKind, type GroupOrder, selectGroups } from './select-groups.ts'

const ownGroups: GroupFilter = { search: '', kind: 'custom' }

export function Groups() {
  const { client, realm, state, problem, retry } = useRealmLive()
  const [, navigate] = useLocation()
  const [filter, setFilter] = useState(ownGroups)
  const [order, setOrder] = useState<GroupOrder>({ columnAccessor: 'name', direction: 'asc' })
  const groups = state?.groups
  const rows = useMemo(() => (groups ? selectGroups(groups, filter, order) : []), [groups, filter, order])
  const mayCreate = state && holds(state.groups, state.snapshot.realm_can_create_groups, state.me)
  const create =
    state && (() => openCreateGroup(client, state, (id) => navigate(paths.realm(realm, 'groups', id))))
  const own = [...(groups?.values() ?? [])].filter((group) => !group.is_system_group && !group.deactivated)
  return (
    <Page
      title="Groups"
      description={groups ? formatQuantity(own.length, 'group') : '\u00a0'}
      actions={
        mayCreate !== false && (
          <Button leftSection={<IconPlus size={17} />} onClick={create} disabled={!create}>
            Create group
          </Button>
        )
      }
    >
      <Row gap="sm" mb="md">
        <Search
          label="Search groups"
          placeholder="Search by name or description"
          value={filter.search}
          onChange={(search) => setFilter({ ...filter, search })}
        />
        <SegmentedControl
          ml={{ md: 'auto' }}
          w={{ base: '100%', xs: 'auto' }}
          aria-label="Which groups"
          value={filter.kind}
          onChange={(kind) => setFilter({ ...filter, kind: kind as GroupKind })}
          data={[
            { value: 'custom', label: 'Groups' },
            { value: 'system', label: 'Roles' },
            { value: 'deactivated', label: 'Deactivated' },
          ]}
        />
      </Row>
      <div className="card">
        {!state && problem && (
          <Failure title="The groups could not be loaded" error={problem} onRetry={retry} />
        )}
        {!state && !problem && <TableSkeleton label="Loading groups" />}
        {state && rows.length === 0 && (
          <None
            filter={filter}
            reset={() => setFilter({ ...filter, search: '' })}
            create={mayCreate ? create : undefined}
          />
        )}
        {state && rows.length > 0 && (
          <GroupTable
            key={JSON.stringify(filter)}
            rows={rows}
            state={state}
            order={order}
            onOrder={setOrder}
          />
        )}
      </div>
    </Page>
  )
}

interface NoneProps {
  filter: GroupFilter
  reset: () => void
  create: (() => void) | undefined
}

function None({ filter, reset, create }: NoneProps) {
  const icon = <IconUsersGroup size={24} />
  if (filter.search) {
    const clear = (
      <Button variant="default" onClick={reset}>
        Clear the search
      </Button>
    )
    return (
      <Empty icon={icon} title="No group matches" action={clear}>
        None of these groups fits what you searched for.
      </Empty>
    )
  }
  if (filter.kind === 'deactivated') {
    return (
      <Empty icon={icon} title="No group is deactivated">
        A deactivated group keeps its name and can no longer be mentioned or given permissions. It would be
        listed here.
      </Empty>
    )
  }
  return (
    <Empty
      icon={icon}
      title="No group yet"
      action={create && <Button onClick={create}>Create the first group</Button>}
    >
      Groups are mentioned together, and hold permissions together: a team, a committee, everybody on call.
    </Empty>
  )
}
