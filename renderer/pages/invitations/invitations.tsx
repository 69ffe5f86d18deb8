import { Button } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatQuantity, plain } from '../../base/format.ts'
import { holds } from '../../base/groups.ts'
import { Page } from '../../base/page.tsx'
import { Search } from '../../base/search.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import type { RealmState } from '../../live.ts'
import { roleLabel } from '../users/roles.ts'
import { openInvite } from './invite.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { type Invitation, useInvitations } from './use-invitations.ts'

/** By which ways this page's user may invite. */
function waysOf({ groups, snapshot, me }: RealmState) {
  return {
    link: holds(groups, snapshot.realm_create_multiuse_invite_group, me),
    address: holds(groups, snapshot.realm_can_invite_users_group, me),
  }
}

export function Invitations() {
  const { client, state, problem, retry } = useRealmLive()
  const { data: invitations, error, refetch, isFetching } = useInvitations()
  const [search, setSearch] = useState('')
  const shown = useMemo(() => found(invitations ?? [], state, search), [invitations, state, search])
  const ways = state && waysOf(state)
  const invite = state && ways && (() => openInvite(client, state, ways))
  const mayInvite = ways === undefined || ways.link || ways.address
  const failed = problem ?? error
  return (
    <Page
      title="Invitations"
      description={invitations ? formatQuantity(invitations.length, 'open invitation') : '\u00a0'}
      actions={
        mayInvite && (
          <Button leftSection={<IconMailPlus size={17} />} onClick={invite} disabled={!invite}>
            Invite people
          </Button>
        )
      }
    >
      {invitations && invitations.length > 8 && (
        <div style={{ marginBottom: 16 }}>
          <Search
            label="Search invitations"
            placeholder="Search by address, role or inviter"
            value={search}
            onChange={setSearch}
          />
        </div>
      )}
      <div className="card">
        {!invitations && failed && (
          <Failure
            title="The invitations could not be loaded"
            error={failed}
            onRetry={problem ? retry : () => void refetch()}
            retrying={isFetching}
          />
        )}
        {!invitations && !failed && <TableSkeleton label="Loading invitations" rows={4} />}
        {invitations?.length === 0 && (
          <Empty
            icon={<IconMailPlus size={24} />}
            title="No invitation is open"
            action={mayInvite && <Button onClick={invite}>Invite people</Button>}
          >
            An invitation is a link. Whoever opens it makes their own account, with the role and the channels
            that you chose.
          </Empty>
        )}
        {invitations && invitations.length > 0 && shown.length === 0 && (
          <Empty
            icon={<IconMailPlus size={24} />}
            title="No invitation matches"
            action={
              <Button variant="default" onClick={() => setSearch('')}>
                Clear the search
              </Button>
            }
          />
        )}
        {state && shown.length > 0 && <InvitationTable invitations={shown} state={state} client={client} />}
      </div>
    </Page>
  )
}

function found(invitations: Invitation[], state: RealmState | undefined, search: string): Invitation[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return invitations.filter(({ email, invited_as, invited_by_user_id }) => {
    const inviter = state?.users.get(invited_by_user_id)?.full_name ?? ''
    const text = plain(`${email ?? 'link'} ${roleLabel(invited_as)} ${inviter}`)
    return words.every((word) => text.includes(word))
  })
}
