/** Group-setting values as parameters and as clients see them, for channels, groups and the realm alike. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { inactiveUserIds } from '../users/store.ts'
import { assertAllowedValue } from './access.ts'
import type { GroupSettingValue, PermissionSetting } from './settings.ts'

/** A group-setting value (specification, "Group-setting value"). */
export const GroupSetting = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])

/** The value a permission setting is to get, and which it is believed to have. */
export const GroupSettingUpdate = z.strictObject({ new: GroupSetting, old: GroupSetting.optional() })
export type GroupSettingUpdate = z.output<typeof GroupSettingUpdate>

/** A value in its one form: ids once and ascending, and an object that only names one group as that group's id. */
export function normalValue(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const direct_members = ascending(value.direct_members)
  const direct_subgroups = ascending(value.direct_subgroups)
  const [only] = direct_subgroups
  if (only !== undefined && direct_members.length === 0 && direct_subgroups.length === 1) return only
  return { direct_members, direct_subgroups }
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

const isSame = (a: GroupSettingValue, b: GroupSettingValue): boolean =>
  JSON.stringify(normalValue(a)) === JSON.stringify(normalValue(b))

/**
 * A value that a permission setting is given from the start, in its one form.
 * @throws BadRequestError when it names what is not there or may not hold this setting
 */
export function allowedValue(
  db: Reader,
  name: string,
  setting: PermissionSetting,
  given: GroupSettingValue,
): GroupSettingValue {
  const value = normalValue(given)
  assertAllowedValue(db, name, setting, value)
  return value
}

/**
 * What an update makes of a permission setting.
 * @param current the value as it is stored
 * @returns the value to be stored; undefined when nothing changes
 * @throws BadRequestError when the client believed another value to be there, or the new one is not allowed
 */
export function changedValue(
  db: Reader,
  name: string,
  setting: PermissionSetting,
  current: GroupSettingValue,
  update: GroupSettingUpdate | undefined,
): GroupSettingValue | undefined {
  if (!update) return undefined
  const shown = presentValue(db, current)
  if (update.old !== undefined && !isSame(update.old, shown)) {
    throw new BadRequestError("'old' value does not match the expected value.")
  }
  if (isSame(update.new, shown)) return undefined
  return allowedValue(db, name, setting, update.new)
}

/** A stored value as clients see it: without users who are deactivated, who are back when they are reactivated. */
export function presentValue(db: Reader, stored: GroupSettingValue): GroupSettingValue {
  if (typeof stored === 'number') return stored
  const inactive = inactiveUserIds(db)
  return {
    direct_members: stored.direct_members.filter((id) => !inactive.has(id)),
    direct_subgroups: stored.direct_subgroups,
  }
}

/** Whether a stored value names a user directly. */
export const namesUser = (stored: GroupSettingValue, userId: number): boolean =>
  typeof stored !== 'number' && stored.direct_members.includes(userId)

/** Whether a stored value names a group. */
export const namesGroup = (stored: GroupSettingValue, groupId: number): boolean =>
  typeof stored === 'number' ? stored === groupId : stored.direct_subgroups.includes(groupId)
