// Where an error of the server belongs in a form.

import type { UseFormReturnType } from '@mantine/form'
import { ApiError } from '../api.ts'
import { messageOf, notifyFailure } from './notify.tsx'

/** Which words of an error speak of which field, where the reply does not name it itself. */
export type FieldWords<Field extends string> = Partial<Record<Field, RegExp>>

export function fieldOf<Field extends string>(error: unknown, words: FieldWords<Field>): Field | null {
  if (!(error instanceof ApiError)) return null
  const fields = Object.keys(words) as Field[]
  const named = error.data.field ?? error.data.var_name
  return (
    fields.find((field) => field === named) ??
    fields.find((field) => words[field]?.test(error.message)) ??
    null
  )
}

/** Puts the error next to its field, or into a notification when it is about no field in particular. */
export function showFormError<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
  words: FieldWords<Extract<keyof Values, string>>,
): void {
  const field = fieldOf(error, words)
  if (field === null) return notifyFailure(error)
  form.setFieldError(field, messageOf(error))
  form.getInputNode(field)?.focus()
}

export function required(what: string): (value: string) => string | null {
  return (value) => (value.trim() ? null : `Enter ${what}.`)
}

export function emailProblem(value: string): string | null {
  if (!value.trim()) return 'Enter an email address.'
  return /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'An email address looks like name@example.org.'
}
