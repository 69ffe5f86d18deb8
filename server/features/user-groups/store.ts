import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { type GroupSettingValue, systemGroups, type SystemGroupName } from './settings.ts'

/** Ids of the realm's system groups. */
export function systemGroupIds(db: Reader): ReadonlyMap<SystemGroupName, number> {
  const rows = db.all(db.q.selectFrom('user_groups').select(['id', 'name']).where('is_system_group', '=', 1))
  return new Map(rows.map((row) => [row.name as SystemGroupName, row.id]))
}

const idByName = statement((q, name: string) =>
  q.selectFrom('user_groups').select('id').where('name', '=', name),
)

export function systemGroupId(db: Reader, name: SystemGroupName): number {
  const row = db.first(idByName(name))
  if (!row) throw new Error(`Realm ${db.realmId} has no group ${name}`)
  return row.id
}

/** Makes the system groups of a new realm, each nested in the next wider one. */
export function insertSystemGroups(tx: Tx): void {
  const ids = new Map<SystemGroupName, number>()
  for (const { name, description } of systemGroups) {
    ids.set(name, tx.insert('user_groups', { name, description, is_system_group: 1, date_created: tx.now }))
  }
  const nested = systemGroups.filter(({ name }) => name !== 'role:nobody')
  nested.slice(1).forEach(({ name }, i) => {
    const wider = ids.get(nested[i]?.name ?? name)
    const narrower = ids.get(name)
    if (wider !== undefined && narrower !== undefined) {
      tx.insert('user_group_subgroups', { group_id: wider, subgroup_id: narrower })
    }
  })
}

export const groupById = (db: Reader, id: number): Row<'user_groups'> | undefined =>
  db.first(db.q.selectFrom('user_groups').selectAll().where('id', '=', id))

/** The active groups among these and all that are nested in them, and whether a user is a direct member of each. */
export const groupsWithin = (
  db: Reader,
  roots: readonly number[],
  userId: number,
): { id: number; name: string; is_system_group: number; is_member: number }[] =>
  db.sql(
    `WITH RECURSIVE within(id) AS (
       SELECT id FROM user_groups
         WHERE realm_id = :realm AND deactivated = 0 AND id IN (SELECT value FROM json_each(?))
       UNION
       SELECT s.subgroup_id FROM within w
         JOIN user_group_subgroups s ON s.group_id = w.id
         JOIN user_groups g ON g.id = s.subgroup_id AND g.deactivated = 0
     )
     SELECT g.id, g.name, g.is_system_group,
       EXISTS (SELECT 1 FROM user_group_members m WHERE m.group_id = g.id AND m.user_id = ?) AS is_member
     FROM within w JOIN user_groups g ON g.id = w.id`,
    [JSON.stringify(roots), userId],
  )

export const directMemberIds = (db: Reader, groupIds: readonly number[]): number[] =>
  groupIds.length === 0
    ? []
    : db
        .all(db.q.selectFrom('user_group_members').select('user_id').where('group_id', 'in', groupIds))
        .map((row) => row.user_id)

export const parseGroupSetting = (stored: string): GroupSettingValue =>
  JSON.parse(stored) as GroupSettingValue
