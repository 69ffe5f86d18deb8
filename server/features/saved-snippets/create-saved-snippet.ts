import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { addSnippet } from './actions.ts'
import { SnippetContent, SnippetTitle } from './fields.ts'

export const createSavedSnippet = defineRoute({
  id: 'create-saved-snippet',
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Save a snippet of text to be used in messages',
  caller: 'user',
  params: { title: text(SnippetTitle), content: text(SnippetContent) },
  result: z.object({ saved_snippet_id: z.int() }),
  run: (ctx, me, fields) => ({ saved_snippet_id: ctx.transact((tx) => addSnippet(tx, me, fields)) }),
})
