import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { editSnippet, ownSnippet } from './actions.ts'
import { SnippetContent, SnippetTitle } from './fields.ts'

export const updateSavedSnippet = defineRoute({
  id: 'edit-saved-snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Change a saved snippet',
  caller: 'user',
  params: {
    saved_snippet_id: path(z.int()),
    title: text(SnippetTitle.optional()),
    content: text(SnippetContent.optional()),
  },
  result: z.object({}),
  run: (ctx, me, { saved_snippet_id, title, content }) =>
    ctx.transact((tx) => {
      const changes = {
        ...(title === undefined ? {} : { title }),
        ...(content === undefined ? {} : { content }),
      }
      editSnippet(tx, me, ownSnippet(tx, me, saved_snippet_id), changes)
      return {}
    }),
})
