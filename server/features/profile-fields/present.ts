/** Custom profile fields as clients see them (specification, "Custom profile field"). */
import { z } from 'zod'
import { type FieldTypeNumber, fieldTypes, FieldTypeNumber as TypeNumber } from './types.ts'
import type { Reader } from '../../db/transaction.ts'
import { allFields, type ProfileField } from './store.ts'

export const ProfileFieldObject = z.strictObject({
  id: z.int(),
  type: TypeNumber,
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
  /** Only where it is true. */
  display_in_profile_summary: z.literal(true).optional(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
})
export type ProfileFieldObject = z.output<typeof ProfileFieldObject>

const presentField = (field: ProfileField): ProfileFieldObject => ({
  id: field.id,
  type: field.type as FieldTypeNumber,
  order: field.sort_order,
  name: field.name,
  hint: field.hint,
  field_data: field.field_data,
  ...(field.display_in_profile_summary ? { display_in_profile_summary: true as const } : {}),
  required: field.required === 1,
  editable_by_user: field.editable_by_user === 1,
})

export const presentFields = (db: Reader): ProfileFieldObject[] => allFields(db).map(presentField)

/** The fields' part of the register response. */
export const profileFieldSnapshot = (db: Reader) => ({
  custom_profile_fields: presentFields(db),
  custom_profile_field_types: fieldTypes,
})
