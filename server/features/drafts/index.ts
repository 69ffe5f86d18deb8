import { createDrafts } from './create-drafts.ts'
import { deleteDraft } from './delete-draft.ts'
import { getDrafts } from './get-drafts.ts'
import { updateDraft } from './update-draft.ts'

export const draftRoutes = [getDrafts, createDrafts, updateDraft, deleteDraft]
