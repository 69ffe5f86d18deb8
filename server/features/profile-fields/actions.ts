/** What changes about profile fields and what people wrote in them, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import type { User } from '../users/access.ts'
import { tellOfPerson } from '../users/announce.ts'
import { activeUserIds, usersByIds } from '../users/store.ts'
import { accountIn } from './external-accounts.ts'
import { presentFields } from './present.ts'
import {
  allFields,
  deleteField,
  deleteValue,
  fieldById,
  type ProfileField,
  saveValue,
  updateField,
  valueOf,
  valuesOfField,
} from './store.ts'
import { fieldTypes, fitsSummary, type GivenValue, parseFieldData, parseValue } from './types.ts'

/** How many fields the summary of a profile has room for. */
const MAX_IN_SUMMARY = 2

export interface FieldChanges {
  name?: string | undefined
  hint?: string | undefined
  field_data?: object | undefined
  display_in_profile_summary?: boolean | undefined
  required?: boolean | undefined
  editable_by_user?: boolean | undefined
}

/** @returns the new field's id. @throws BadRequestError */
export function addField(tx: Tx, type: number, given: FieldChanges): number {
  const fields = allFields(tx)
  const known = type === fieldTypes.EXTERNAL_ACCOUNT.id ? accountIn(given.field_data) : undefined
  const name = given.name || (known?.name ?? '')
  assertName(fields, name, null)
  if (given.display_in_profile_summary) assertSummary(fields, type, null)
  const id = tx.insert('profile_fields', {
    type,
    sort_order: Math.max(0, ...fields.map((field) => field.sort_order)) + 1,
    name,
    hint: given.hint || (known?.hint ?? ''),
    field_data: parseFieldData(type, given.field_data),
    display_in_profile_summary: bit(given.display_in_profile_summary ?? false),
    required: bit(given.required ?? false),
    editable_by_user: bit(given.editable_by_user ?? true),
  })
  tellOfFields(tx)
  return id
}

/** @throws BadRequestError */
export function changeField(ctx: RealmContext, tx: Tx, field: ProfileField, given: FieldChanges): void {
  const fields = allFields(tx)
  const changes: Partial<ProfileField> = {}
  if (given.name !== undefined) {
    assertName(fields, given.name, field)
    changes.name = given.name
  }
  if (given.hint !== undefined) changes.hint = given.hint
  if (given.display_in_profile_summary !== undefined) {
    if (given.display_in_profile_summary) assertSummary(fields, field.type, field)
    changes.display_in_profile_summary = bit(given.display_in_profile_summary)
  }
  if (given.required !== undefined) changes.required = bit(given.required)
  if (given.editable_by_user !== undefined) changes.editable_by_user = bit(given.editable_by_user)
  if (given.field_data !== undefined) changes.field_data = parseFieldData(field.type, given.field_data)
  if (Object.keys(changes).length === 0) return
  updateField(tx, field.id, changes)
  tellOfFields(tx)
  if (changes.field_data) dropGoneChoices(ctx, tx, { ...field, ...changes })
}

/** Who had chosen what is no longer offered has chosen nothing. */
function dropGoneChoices(ctx: RealmContext, tx: Tx, field: ProfileField): void {
  if (field.type !== 3) return
  const choices = JSON.parse(field.field_data) as object
  const gone = valuesOfField(tx, field.id).filter(({ value }) => !Object.hasOwn(choices, value))
  const ids = gone.map(({ user_id }) => user_id)
  for (const user of usersByIds(tx, ids)) clearValue(ctx, tx, user, field.id)
}

export function removeField(tx: Tx, field: ProfileField): void {
  deleteField(tx, field.id)
  tellOfFields(tx)
}

/** @param order ids of all fields. @throws BadRequestError when it is not all of them, each once */
export function reorderFields(tx: Tx, order: readonly number[]): void {
  const ids = new Set(allFields(tx).map(({ id }) => id))
  if (order.length !== ids.size || new Set(order).size !== ids.size || !order.every((id) => ids.has(id))) {
    throw new BadRequestError('Invalid order mapping.')
  }
  order.forEach((id, i) => updateField(tx, id, { sort_order: i + 1 }))
  tellOfFields(tx)
}

/** A field by id. @throws BadRequestError */
export function existingField(tx: Tx, id: number): ProfileField {
  const field = fieldById(tx, id)
  if (!field) throw new BadRequestError(`Field id ${id} not found.`)
  return field
}

function assertName(fields: readonly ProfileField[], name: string, own: ProfileField | null): void {
  if (name === '') throw new BadRequestError('Label cannot be blank.')
  const key = name.toLowerCase()
  if (fields.some((field) => field.id !== own?.id && field.name.toLowerCase() === key)) {
    throw new BadRequestError('A field with that label already exists.')
  }
}

function assertSummary(fields: readonly ProfileField[], type: number, own: ProfileField | null): void {
  if (!fitsSummary(type)) {
    throw new BadRequestError('Field type not supported for display in profile summary.')
  }
  const others = fields.filter((field) => field.id !== own?.id && field.display_in_profile_summary)
  if (others.length >= MAX_IN_SUMMARY) {
    throw new BadRequestError('Only 2 custom profile fields can be displayed in the profile summary.')
  }
}

function tellOfFields(tx: Tx): void {
  tx.emit({ type: 'custom_profile_fields', fields: presentFields(tx) }, { to: activeUserIds(tx) })
}

/**
 * Writes into a profile; an empty value takes out what was there.
 * @param mayEdit whether a field may be changed by who changes it
 * @throws BadRequestError
 */
export function changeProfile(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  data: readonly { id: number; value: GivenValue }[],
  mayEdit: (field: ProfileField) => boolean = () => true,
): void {
  if (user.is_bot) throw new BadRequestError('Bots have no profile')
  for (const { id, value: given } of data) {
    const field = existingField(tx, id)
    const old = valueOf(tx, user.id, id)
    const isEmpty = given.length === 0 || given === '[]'
    const value = isEmpty ? null : parseValue(tx, field, given)
    if ((value?.value ?? null) === (old?.value ?? null)) continue
    if (!mayEdit(field)) {
      throw new BadRequestError(
        'You are not allowed to change this field. Contact an administrator to update it.',
      )
    }
    if (!value) {
      clearValue(ctx, tx, user, id)
      continue
    }
    saveValue(tx, user.id, id, value)
    const { rendered_value } = value
    const custom_profile_field = {
      id,
      value: value.value,
      ...(rendered_value === null ? {} : { rendered_value }),
    }
    tellOfPerson(ctx, tx, user, { user_id: user.id, custom_profile_field })
  }
}

function clearValue(ctx: RealmContext, tx: Tx, user: User, fieldId: number): void {
  deleteValue(tx, user.id, fieldId)
  tellOfPerson(ctx, tx, user, { user_id: user.id, custom_profile_field: { id: fieldId, value: null } })
}
