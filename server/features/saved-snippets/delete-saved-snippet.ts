import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { ownSnippet, removeSnippet } from './actions.ts'

export const deleteSavedSnippet = defineRoute({
  id: 'delete-saved-snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Delete a saved snippet',
  caller: 'user',
  params: { saved_snippet_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { saved_snippet_id }) =>
    ctx.transact((tx) => {
      removeSnippet(tx, me, ownSnippet(tx, me, saved_snippet_id))
      return {}
    }),
})
