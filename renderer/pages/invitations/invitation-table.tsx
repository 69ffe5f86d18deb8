import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconLink, IconMail, IconTrash } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo, useState } from 'react'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { CopyButton } from '../../base/copy.tsx'
import { formatDate, formatDuration, formatMoment } from '../../base/format.ts'
import { IconTile, Named } from '../../base/named.tsx'
import { notifySuccess } from '../../base/notify.tsx'
import { DataGrid, HiddenTitle, type Order } from '../../base/table.tsx'
import { useNow } from '../../base/use-now.ts'
import type { RealmState } from '../../live.ts'
import { roleLabel } from '../users/roles.ts'
import classes from './invitations.module.css'
import type { Invitation } from './use-invitations.ts'

type Column = 'invited' | 'expiry_date' | 'invited_as'

interface Props {
  invitations: Invitation[]
  state: RealmState
  client: RealmClient
}

export function InvitationTable({ invitations, state, client }: Props) {
  const [order, setOrder] = useState<Order<Column>>({ columnAccessor: 'invited', direction: 'desc' })
  const rows = useMemo(() => sorted(invitations, order), [invitations, order])
  const columns: DataTableColumn<Invitation>[] = [
    {
      accessor: 'email',
      title: 'Invitation',
      render: (invitation) => (
        <NamedInvitation
          invitation={invitation}
          inviter={state.users.get(invitation.invited_by_user_id)?.full_name ?? 'somebody'}
        />
      ),
    },
    {
      accessor: 'invited_as',
      title: 'As',
      width: 130,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.xs})`,
      render: ({ invited_as }) => roleLabel(invited_as),
    },
    {
      accessor: 'invited',
      title: 'Made',
      width: 130,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.md})`,
      render: ({ invited }) => (
        <Text size="sm" c="dimmed" className="numeric" title={formatMoment(invited)}>
          {formatDate(invited)}
        </Text>
      ),
    },
    {
      accessor: 'expiry_date',
      title: 'Ends',
      width: 140,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.sm})`,
      render: ({ expiry_date }) => <Ends at={expiry_date} />,
    },
    {
      accessor: 'actions',
      title: <HiddenTitle>Actions</HiddenTitle>,
      width: 92,
      textAlign: 'right',
      render: (invitation) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          {invitation.link_url && (
            <CopyButton value={invitation.link_url} what={`link ${purposeOf(invitation)}`} />
          )}
          <Tooltip label="Revoke">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Revoke the invitation ${purposeOf(invitation)}`}
              onClick={() => revoke(client, invitation)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ),
    },
  ]
  return (
    <DataGrid rows={rows} columns={columns} idAccessor="id" order={order} onOrder={setOrder} pageSize={25} />
  )
}

function sorted(invitations: Invitation[], { columnAccessor, direction }: Order<Column>): Invitation[] {
  const sign = direction === 'asc' ? 1 : -1
  // What never ends ends last.
  const rank = (invitation: Invitation) => invitation[columnAccessor] ?? Number.POSITIVE_INFINITY
  return invitations.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)]
    return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id)
  })
}

const purposeOf = ({ email, invited_as }: Invitation): string =>
  email === undefined ? `for ${roleLabel(invited_as).toLowerCase()}s` : `for ${email}`

function NamedInvitation({ invitation, inviter }: { invitation: Invitation; inviter: string }) {
  const { email, invited_as } = invitation
  const Icon = email === undefined ? IconLink : IconMail
  return (
    <Named
      icon={
        <IconTile>
          <Icon size={18} />
        </IconTile>
      }
      name={email ?? 'Link for many'}
      detail={
        <>
          <span className={classes.narrow}>{roleLabel(invited_as)} · </span>
          by {inviter}
        </>
      }
    />
  )
}

function Ends({ at }: { at: number | null }) {
  const now = useNow()
  if (at === null) return 'Never'
  return (
    <span className="numeric" title={formatMoment(at)}>
      {nearly(at - now)}
    </span>
  )
}

function nearly(seconds: number): string {
  if (seconds < 3600) return `in ${formatDuration(Math.max(60, seconds)).replace(/ \d+ s$/, '')}`
  const hours = Math.round(seconds / 3600)
  return hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} d`
}

function revoke(client: RealmClient, invitation: Invitation): void {
  const { id, email, is_multiuse } = invitation
  confirm({
    title: 'Revoke this invitation?',
    body: is_multiuse
      ? 'Nobody can join by this link any more. Who has joined by it stays.'
      : `${email} can no longer join by it.`,
    verb: 'Revoke',
    danger: true,
    action: () => client.call('DELETE', is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`),
    done: () => notifySuccess('The invitation is revoked.'),
  })
}
