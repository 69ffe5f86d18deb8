import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertSynchronizesDrafts } from './access.ts'
import { DraftObject, presentDraft } from './present.ts'
import { draftsOf } from './store.ts'

export const getDrafts = defineRoute({
  id: 'get-drafts',
  method: 'GET',
  path: '/drafts',
  summary: 'Fetch the own drafts',
  caller: 'user',
  params: {},
  result: z.object({ count: z.int(), drafts: z.array(DraftObject) }),
  run: (ctx, me) => {
    assertSynchronizesDrafts(me)
    const drafts = draftsOf(ctx.db, me.id).map((draft) => presentDraft(draft, false))
    return { count: drafts.length, drafts }
  },
})
