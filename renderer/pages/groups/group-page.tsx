import { Button } from '@mantine/core'
import { IconPencil, IconUsersGroup, IconUsersMinus } from '@tabler/icons-react'
import { type LiveRealm, useRealmLive } from '../../admin/realm-live.tsx'
import { formatQuantity } from '../../base/format.ts'
import { groupDescription, groupLabel, mayManageGroup, membersOf } from '../../base/groups.ts'
import { NotShown } from '../../base/not-shown.tsx'
import { Page } from '../../base/page.tsx'
import { Section } from '../../base/section.tsx'
import type { Group, RealmState } from '../../live.ts'
import { paths } from '../../router.ts'
import { deactivateGroup } from './deactivate-group.tsx'
import { openEditGroup } from './edit-group.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupPermissions } from './group-permissions.tsx'

export function GroupPage({ id }: { id: number }) {
  const live = useRealmLive()
  const { realm, state } = live
  const back = { to: paths.realm(realm, 'groups'), label: 'Groups' }
  const group = state?.groups.get(id)
  if (state && group) return <Known live={live} state={state} group={group} back={back} />
  return <NotShown what="group" back={back} icon={<IconUsersGroup size={24} />} live={live} />
}

interface KnownProps {
  live: LiveRealm
  state: RealmState
  group: Group
  back: { to: string; label: string }
}

function Known({ live: { client }, state, group, back }: KnownProps) {
  const people = membersOf(state.groups, group.id).size
  const mayManage = mayManageGroup(state, group)
  return (
    <Page
      title={groupLabel(group)}
      back={back}
      description={groupDescription(group) || formatQuantity(people, 'person', 'people')}
      actions={
        mayManage && (
          <>
            <Button
              variant="default"
              leftSection={<IconUsersMinus size={17} />}
              onClick={() => deactivateGroup(client, state, group)}
            >
              Deactivate
            </Button>
            <Button
              variant="default"
              leftSection={<IconPencil size={17} />}
              onClick={() => openEditGroup(client, state, group)}
            >
              Rename
            </Button>
          </>
        )
      }
    >
      {group.deactivated && (
        <p>This group is deactivated: it cannot be mentioned and can be given no permission.</p>
      )}
      <GroupMembers group={group} state={state} people={people} />
      {!group.is_system_group && (
        <Section title="Permissions" description="What may be done with this group, and by whom">
          <GroupPermissions group={group} state={state} key={group.id} disabled={!mayManage} />
        </Section>
      )}
    </Page>
  )
}
