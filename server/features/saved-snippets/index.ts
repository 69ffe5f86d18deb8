import { createSavedSnippet } from './create-saved-snippet.ts'
import { deleteSavedSnippet } from './delete-saved-snippet.ts'
import { getSavedSnippets } from './get-saved-snippets.ts'
import { updateSavedSnippet } from './update-saved-snippet.ts'

export const savedSnippetRoutes = [
  getSavedSnippets,
  createSavedSnippet,
  updateSavedSnippet,
  deleteSavedSnippet,
]
