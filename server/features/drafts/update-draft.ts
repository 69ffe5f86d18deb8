import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path } from '../../http/params.ts'
import { assertSynchronizesDrafts, DraftInput, ownDraft } from './access.ts'
import { editDraft } from './actions.ts'

export const updateDraft = defineRoute({
  id: 'edit-draft',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Change a draft',
  caller: 'user',
  params: { draft_id: path(z.int()), draft: json(DraftInput) },
  result: z.object({}),
  run: (ctx, me, { draft_id, draft }) => {
    assertSynchronizesDrafts(me)
    return ctx.transact((tx) => {
      editDraft(ctx, tx, me, ownDraft(tx, me, draft_id), draft)
      return {}
    })
  },
})
