import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '../realms/settings.ts'

/** In characters. */
const MAX_TITLE_LENGTH = 60

const noNull = /^[^\0]*$/

export const SnippetTitle = z
  .string()
  .trim()
  .min(1, 'Title cannot be empty.')
  .refine((title) => [...title].length <= MAX_TITLE_LENGTH, `Title is too long: at most ${MAX_TITLE_LENGTH}`)
  .regex(noNull, 'Title must not contain null bytes')

export const SnippetContent = z
  .string()
  .trim()
  .min(1, 'Content cannot be empty.')
  .refine(
    (text) => [...text].length <= MAX_MESSAGE_LENGTH,
    `Content is too long: at most ${MAX_MESSAGE_LENGTH}`,
  )
  .regex(noNull, 'Content must not contain null bytes')
