import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { LinkifierObject } from './events.ts'
import { linkifiersOf } from './store.ts'

export const getLinkifiers = defineRoute({
  id: 'get-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'The patterns that become links, in the order in which they apply',
  caller: 'user',
  params: {},
  result: z.object({ linkifiers: z.array(LinkifierObject) }),
  run: (ctx) => ({ linkifiers: linkifiersOf(ctx.db) }),
})
