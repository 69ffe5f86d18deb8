import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertSynchronizesDrafts, ownDraft } from './access.ts'
import { removeDraft } from './actions.ts'

export const deleteDraft = defineRoute({
  id: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Delete a draft',
  caller: 'user',
  params: { draft_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { draft_id }) => {
    assertSynchronizesDrafts(me)
    return ctx.transact((tx) => {
      removeDraft(tx, me, ownDraft(tx, me, draft_id).id)
      return {}
    })
  },
})
