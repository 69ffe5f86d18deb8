import { IconUsers } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo, useState } from 'react'
import type { RealmClient } from '../../api.ts'
import { formatQuantity, plain } from '../../base/format.ts'
import { AddForm, MemberSearch, removeColumn } from '../../base/member-list.tsx'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { Person } from '../../base/person.tsx'
import { PrincipalSelect, type Principals } from '../../base/principals.tsx'
import { Section } from '../../base/section.tsx'
import { Empty } from '../../base/states.tsx'
import { DataGrid, type Order } from '../../base/table.tsx'
import { Tag } from '../../base/tag.tsx'
import type { Channel, RealmState, User } from '../../live.ts'
import { roleLabel } from '../users/roles.ts'
import { isChoosable, peopleIn } from './create-channel.tsx'

interface Props {
  client: RealmClient
  state: RealmState
  channel: Channel
}

/** Who is in a channel. */
export function ChannelMembers({ client, state, channel }: Props) {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order<'full_name'>>({ columnAccessor: 'full_name', direction: 'asc' })
  const { subscribers, name, is_archived } = channel
  const people = useMemo(
    () => (subscribers ?? []).map((id) => state.users.get(id)).filter((user) => user !== undefined),
    [subscribers, state.users],
  )
  const shown = useMemo(() => select(people, search, order), [people, search, order])
  const remove = useMutation({
    mutationFn: ({ user_id }: User) =>
      client.call('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [user_id] }),
    onSuccess: (_reply, { full_name }) => notifySuccess(`${full_name} is no longer in #${name}.`),
    onError: notifyFailure,
  })
  const columns: DataTableColumn<User>[] = [
    {
      accessor: 'full_name',
      title: 'Subscriber',
      sortable: true,
      render: (user) => (
        <Person
          id={user.user_id}
          name={user.full_name}
          email={user.delivery_email ?? user.email}
          badges={user.is_bot && <Tag>Bot</Tag>}
        />
      ),
    },
    {
      accessor: 'role',
      title: 'Role',
      width: 140,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.xs})`,
      render: ({ role }) => roleLabel(role),
    },
    removeColumn({
      hidden: is_archived,
      nameOf: ({ full_name }) => full_name,
      isBusy: ({ user_id }) => remove.isPending && remove.variables.user_id === user_id,
      remove: remove.mutate,
    }),
  ]
  return (
    <Section
      title="Subscribers"
      description={subscribers ? formatQuantity(people.length, 'person', 'people') : 'Not to be seen by you'}
      flush
    >
      {!is_archived && <AddSubscribers client={client} state={state} channel={channel} />}
      <MemberSearch among={people.length} label="Search subscribers" value={search} onChange={setSearch} />
      {shown.length > 0 ? (
        <DataGrid
          rows={shown}
          columns={columns}
          idAccessor="user_id"
          order={order}
          onOrder={setOrder}
          pageSize={15}
        />
      ) : (
        <Empty icon={<IconUsers size={24} />} title={search ? 'No subscriber matches' : 'Nobody is in it'}>
          {search
            ? 'None of its subscribers has that name.'
            : !is_archived && 'Add people or whole groups above.'}
        </Empty>
      )}
    </Section>
  )
}

function select(people: User[], search: string, { direction }: Order<'full_name'>): User[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const sign = direction === 'asc' ? 1 : -1
  return people
    .filter(({ full_name, email, delivery_email }) =>
      words.every((word) => plain(`${full_name} ${delivery_email ?? email}`).includes(word)),
    )
    .toSorted((a, b) => sign * a.full_name.localeCompare(b.full_name))
}

const none: Principals = { users: [], groups: [] }

function AddSubscribers({ client, state, channel }: Props) {
  const [chosen, setChosen] = useState(none)
  const principals = peopleIn(state, chosen).filter((id) => !channel.subscribers?.includes(id))
  const isEmpty = chosen.users.length + chosen.groups.length === 0
  const add = useMutation({
    mutationFn: () =>
      client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals }),
    onSuccess: () => {
      notifySuccess(`${formatQuantity(principals.length, 'person', 'people')} added to #${channel.name}.`)
      setChosen(none)
    },
    onError: notifyFailure,
  })
  return (
    <AddForm count={principals.length} adding={add.isPending} add={add.mutate}>
      <PrincipalSelect
        aria-label="Add subscribers"
        placeholder={isEmpty ? 'Add people, or everybody of a group' : ''}
        error={!isEmpty && principals.length === 0 && 'All of them are in it already.'}
        state={state}
        users={[...state.users.values()].filter(
          (user) => user.is_active && !channel.subscribers?.includes(user.user_id),
        )}
        groups={[...state.groups.values()].filter(isChoosable)}
        value={chosen}
        onChange={setChosen}
      />
    </AddForm>
  )
}
