// What the admin page asks the server for again and again, and when.

import { QueryCache, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, adminApi, ConnectionError, forgetClients, type Session } from '../api.ts'

export const keys = {
  session: ['session'],
  server: ['server'],
  realms: ['realms'],
  backups: ['backups'],
} as const

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Signed out elsewhere, or the cookie ran out: asking for the session again leads to the sign-in page.
        if (error instanceof ApiError && error.status === 401 && query.queryKey[0] !== keys.session[0])
          void client.invalidateQueries({ queryKey: keys.session })
      },
    }),
    defaultOptions: {
      // 'always': this server may well be on a computer without any network.
      queries: { networkMode: 'always', retry: false, staleTime: 2000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}

export function useServer() {
  return useQuery({
    queryKey: keys.server,
    queryFn: ({ signal }) => adminApi.server(signal),
    // The banner about the disk comes and goes with it.
    refetchInterval: 5000,
  })
}

export function useRealms() {
  return useQuery({
    queryKey: keys.realms,
    queryFn: async ({ signal }) => (await adminApi.realms(signal)).realms,
    refetchInterval: 10_000,
  })
}

/** Asked for more often while one is being made. */
export function useBackups() {
  return useQuery({
    queryKey: keys.backups,
    queryFn: ({ signal }) => adminApi.backups(signal),
    refetchInterval: ({ state }) => (state.data?.running ? 500 : 10_000),
  })
}

/** The session, from the link's token or the cookie; null where neither lets anyone in. */
export function useSessionQuery(token: TokenOnce) {
  const client = useQueryClient()
  return useQuery({
    queryKey: keys.session,
    queryFn: async ({ signal }): Promise<Session | null> => {
      const held = token.value
      if (held !== null) {
        try {
          const { session } = await adminApi.signInByToken(held)
          token.value = null
          return session
        } catch (error) {
          if (error instanceof ConnectionError) throw error
          token.value = null
          token.refused = true
        }
      }
      try {
        return (await adminApi.session(signal)).session
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          token.ended = Boolean(client.getQueryData(keys.session))
          return null
        }
        throw error
      }
    },
    retry: (_count, error) => error instanceof ConnectionError,
    retryDelay: 1500,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The link's token, used once, and what the sign-in page has to say. */
export interface TokenOnce {
  value: string | null
  /** The link was an old one. */
  refused: boolean
  /** A session that was open is no more, and not by signing out. */
  ended: boolean
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => adminApi.signOut(),
    onSuccess: () => {
      forgetClients()
      client.setQueryData(keys.session, null)
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] })
    },
  })
}
