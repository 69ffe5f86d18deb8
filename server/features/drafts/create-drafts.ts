import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertSynchronizesDrafts, DraftInput } from './access.ts'
import { addDrafts } from './actions.ts'

export const createDrafts = defineRoute({
  id: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  summary: 'Save drafts',
  caller: 'user',
  params: { drafts: json(z.array(DraftInput).default([])) },
  result: z.object({ ids: z.array(z.int()) }),
  run: (ctx, me, { drafts }) => {
    assertSynchronizesDrafts(me)
    return { ids: ctx.transact((tx) => addDrafts(ctx, tx, me, drafts)) }
  },
})
