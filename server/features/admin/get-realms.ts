import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { allRealms } from '../realms/store.ts'
import { presentRealm, RealmInfo } from './present.ts'

export const getRealms = defineRoute({
  id: 'admin-get-realms',
  method: 'GET',
  path: '/realms',
  summary: 'The organizations this session manages',
  caller: 'admin',
  params: {},
  result: z.object({ realms: z.array(RealmInfo) }),
  run: ({ server }, session) => ({
    realms: allRealms(server.database)
      .filter((realm) => session.kind === 'operator' || session.realm === realm.stringId)
      .map((realm) => presentRealm(server, realm)),
  }),
})
