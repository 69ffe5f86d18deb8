import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { realmClient } from '../../api.ts'
import type { User } from '../../live.ts'
import { personKey } from './activity-state.ts'

/** Names of everybody in these realms: entries of the tail carry only numbers. */
export function usePeople(realms: string[]): ReadonlyMap<string, string> {
  const replies = useQueries({
    queries: realms.map((realm) => ({
      queryKey: ['people', realm],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { members } = await realmClient(realm).call<{ members: User[] }>(
          'GET',
          '/users',
          {},
          { signal },
        )
        return members.map((user) => [personKey(realm, user.user_id), user.full_name] as const)
      },
      staleTime: 60_000,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(() => new Map(replies.flatMap((people) => people ?? [])), [replies])
}
