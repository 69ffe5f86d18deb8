import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { SavedSnippet, snippetsOf } from './store.ts'

export const getSavedSnippets = defineRoute({
  id: 'get-saved-snippets',
  method: 'GET',
  path: '/saved_snippets',
  summary: 'Fetch the own saved snippets',
  caller: 'user',
  params: {},
  result: z.object({ saved_snippets: z.array(SavedSnippet) }),
  run: (ctx, me) => ({ saved_snippets: snippetsOf(ctx.db, me.id) }),
})
