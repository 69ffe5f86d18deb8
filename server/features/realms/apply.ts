/** Keeps a snapshot of the organization's settings current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import { dropFromValue } from '../user-groups/apply.ts'
import { realmPermissionNames } from '../user-groups/settings.ts'
import type { RealmPart } from './snapshot.ts'

export function applyToRealm(part: RealmPart, event: EventOf<'realm'>): Partial<RealmPart> {
  switch (event.op) {
    case 'update_dict':
      return changed(part, event.data)
    case 'update':
      return changed(part, { [event.property]: event.value })
    case 'deactivated':
      return part
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

function changed(part: RealmPart, changes: Record<string, unknown>): RealmPart {
  const named = Object.entries(changes).map(([name, value]) => [`realm_${name}`, value])
  const next = { ...part, ...Object.fromEntries(named) } as RealmPart
  // The deprecated forms follow from the others, and have no events of their own.
  const { enabled = false } = next.realm_authentication_methods['Email'] ?? {}
  return {
    ...next,
    realm_allow_edit_history: next.realm_message_edit_history_visibility_policy !== 'none',
    realm_email_auth_enabled: enabled,
    realm_password_auth_enabled: enabled,
  }
}

/** A deactivated user is in no permission setting. */
export function dropFromRealm(part: RealmPart, userId: number): Partial<RealmPart> {
  return Object.fromEntries(
    realmPermissionNames.map((name) => [`realm_${name}`, dropFromValue(part[`realm_${name}`], userId)]),
  )
}
