import { z } from 'zod'
import { DraftObject } from './present.ts'

export const draftEvents = [
  z.strictObject({ type: z.literal('drafts'), op: z.literal('add'), drafts: z.array(DraftObject) }),
  z.strictObject({ type: z.literal('drafts'), op: z.literal('update'), draft: DraftObject }),
  z.strictObject({ type: z.literal('drafts'), op: z.literal('remove'), draft_id: z.int() }),
] as const
