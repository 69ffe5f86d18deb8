import { z } from 'zod'
import { SavedSnippet } from './store.ts'

const type = z.literal('saved_snippets')

export const savedSnippetEvents = [
  z.strictObject({ type, op: z.literal('add'), saved_snippet: SavedSnippet }),
  z.strictObject({ type, op: z.literal('update'), saved_snippet: SavedSnippet }),
  z.strictObject({ type, op: z.literal('remove'), saved_snippet_id: z.int() }),
] as const
