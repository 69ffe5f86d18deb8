import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { InvitationObject } from '../../../server/contract.ts'
import { useRealmLive } from '../../admin/realm-live.tsx'

export type Invitation = InvitationObject

/** Invitations that can still be used, fetched again whenever the realm says that they changed. */
export function useInvitations() {
  const { realm, client, state } = useRealmLive()
  return useQuery({
    queryKey: ['invitations', realm, state?.invitesVersion],
    queryFn: async ({ signal }) =>
      (await client.call<{ invites: Invitation[] }>('GET', '/invites', {}, { signal })).invites,
    enabled: state !== undefined,
    placeholderData: keepPreviousData,
    // Nothing tells of one that ran out.
    refetchInterval: 60_000,
  })
}
