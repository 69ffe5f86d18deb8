import { useMutation } from '@tanstack/react-query'
import { IconUsers } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo, useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatQuantity, plain } from '../../base/format.ts'
import { groupLabel, groupsWithin, holds, mayManageGroup, membersOf } from '../../base/groups.ts'
import { AddForm, MemberSearch, removeColumn } from '../../base/member-list.tsx'
import { Named } from '../../base/named.tsx'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { Person } from '../../base/person.tsx'
import { PrincipalSelect, type Principals } from '../../base/principals.tsx'
import { Section } from '../../base/section.tsx'
import { Empty } from '../../base/states.tsx'
import { DataGrid, type Order } from '../../base/table.tsx'
import type { Group, RealmState } from '../../live.ts'
import { paths } from '../../router.ts'
import { isNestable } from './create-group.tsx'
import { GroupIcon } from './group-icon.tsx'

interface Member {
  key: string
  id: number
  kind: 'group' | 'user'
  name: string
  detail: string
}

interface Props {
  group: Group
  state: RealmState
  /** How many there are, with those of nested groups. */
  people: number
}

const nobody: Principals = { users: [], groups: [] }

/** Who is in a group: the people and groups that stand in it themselves. */
export function GroupMembers({ group, state, people }: Props) {
  const { client } = useRealmLive()
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order<'name'>>({ columnAccessor: 'name', direction: 'asc' })
  const all = useMemo(() => membersIn(state, group), [state, group])
  const shown = useMemo(() => sorted(found(all, search), order), [all, search, order])
  const may = mayManageGroup(state, group)
  const isOpen = !group.is_system_group && !group.deactivated
  const mayAdd = may || (isOpen && holds(state.groups, group.can_add_members_group, state.me))
  const mayRemove = may || (isOpen && holds(state.groups, group.can_remove_members_group, state.me))
  const remove = useMutation({
    mutationFn: ({ kind, id }: Member) =>
      client.call('POST', `/user_groups/${group.id}/members`, {
        [kind === 'user' ? 'delete' : 'delete_subgroups']: [id],
      }),
    onSuccess: (_reply, { name }) => notifySuccess(`${name} is no longer in ${groupLabel(group)}.`),
    onError: notifyFailure,
  })
  const columns: DataTableColumn<Member>[] = [
    {
      accessor: 'name',
      title: 'Member',
      sortable: true,
      render: (member) => <NamedMember member={member} state={state} />,
    },
    removeColumn({
      hidden: !mayRemove,
      nameOf: ({ name }) => name,
      isBusy: ({ key }) => remove.isPending && remove.variables.key === key,
      remove: remove.mutate,
    }),
  ]
  return (
    <Section title="Members" description={tally(all, people)} flush>
      {mayAdd && <AddMembers group={group} state={state} />}
      <MemberSearch among={all.length} label="Search members" value={search} onChange={setSearch} />
      {shown.length > 0 ? (
        <DataGrid
          rows={shown}
          columns={columns}
          idAccessor="key"
          order={order}
          onOrder={setOrder}
          pageSize={15}
        />
      ) : (
        <Empty icon={<IconUsers size={24} />} title={search ? 'No member matches' : 'Nobody is in it'}>
          {search ? 'None of its members has that name.' : mayAdd && 'Add people or whole groups above.'}
        </Empty>
      )}
    </Section>
  )
}

function membersIn({ users, groups }: RealmState, group: Group): Member[] {
  return [
    ...group.direct_subgroup_ids.flatMap((id): Member[] => {
      const inner = groups.get(id)
      if (!inner) return []
      const detail = formatQuantity(membersOf(groups, id).size, 'person', 'people')
      return [{ key: `g${id}`, id, kind: 'group', name: groupLabel(inner), detail }]
    }),
    ...group.members.flatMap((id): Member[] => {
      const user = users.get(id)
      if (!user) return []
      return [
        { key: `u${id}`, id, kind: 'user', name: user.full_name, detail: user.delivery_email ?? user.email },
      ]
    }),
  ]
}

function found(members: Member[], search: string): Member[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return members.filter(({ name, detail }) =>
    words.every((word) => plain(`${name} ${detail}`).includes(word)),
  )
}

/** Groups first: each stands for many. */
function sorted(members: Member[], { direction }: Order<'name'>): Member[] {
  const sign = direction === 'asc' ? 1 : -1
  return members.toSorted((a, b) => a.kind.localeCompare(b.kind) || sign * a.name.localeCompare(b.name))
}

function tally(members: Member[], people: number): string {
  const direct = members.filter(({ kind }) => kind === 'user').length
  const all = formatQuantity(people, 'person', 'people')
  if (people <= direct) return all
  return `${all}, ${direct === 0 ? 'all' : `${people - direct} of them`} through other groups`
}

function NamedMember({ member, state }: { member: Member; state: RealmState }) {
  const { realm } = useRealmLive()
  const { id, kind, name, detail } = member
  const to = paths.realm(realm, `${kind}s`, id)
  if (kind === 'user') {
    const picture = state.users.get(id)?.avatar_url ?? null
    return <Person id={id} name={name} email={detail} picture={picture} to={to} />
  }
  const group = state.groups.get(id)
  return <Named icon={group && <GroupIcon group={group} />} name={name} to={to} detail={detail} />
}

function AddMembers({ group, state }: { group: Group; state: RealmState }) {
  const { client } = useRealmLive()
  const [chosen, setChosen] = useState(nobody)
  const count = chosen.users.length + chosen.groups.length
  const add = useMutation({
    mutationFn: ({ users, groups }: Principals) =>
      client.call('POST', `/user_groups/${group.id}/members`, { add: users, add_subgroups: groups }),
    onSuccess: () => {
      notifySuccess(count === 1 ? 'Added.' : `${count} added.`)
      setChosen(nobody)
    },
    onError: notifyFailure,
  })
  const users = [...state.users.values()].filter(
    (user) => user.is_active && !group.members.includes(user.user_id),
  )
  const groups = [...state.groups.values()].filter(
    (other) =>
      isNestable(other) &&
      !group.direct_subgroup_ids.includes(other.id) &&
      // A group cannot be in itself, by whatever way.
      !groupsWithin(state.groups, other.id).has(group.id),
  )
  return (
    <AddForm count={count} adding={add.isPending} add={() => add.mutate(chosen)}>
      <PrincipalSelect
        aria-label="Add people and groups"
        placeholder={count === 0 ? 'Add people and groups' : ''}
        state={state}
        users={users}
        groups={groups}
        value={chosen}
        onChange={setChosen}
      />
    </AddForm>
  )
}
