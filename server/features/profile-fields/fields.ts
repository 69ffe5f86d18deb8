/** What can be said of a field when it is made and later. */
import { z } from 'zod'
import { json, text } from '../../http/params.ts'

const MAX_NAME_LENGTH = 40
const MAX_HINT_LENGTH = 80

export const fieldParams = {
  name: text(z.string().trim().max(MAX_NAME_LENGTH).optional()),
  hint: text(z.string().trim().max(MAX_HINT_LENGTH).optional()),
  field_data: json(z.record(z.string(), z.unknown()).optional()),
  display_in_profile_summary: text(z.boolean().optional()),
  required: text(z.boolean().optional()),
  editable_by_user: text(z.boolean().optional()),
} as const
