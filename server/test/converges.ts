/** The one test that finds a forgotten event: an old snapshot with the events since must equal a fresh one. */
import { expect } from 'vitest'
import { applyEvent, type Snapshot, snapshotTypes } from '../contract.ts'
import { RealmFields } from '../features/realms/present.ts'
import type { Person } from './boot.ts'

/** Runs an action and checks that what this person's client keeps stays what the server would tell it anew. */
export async function expectConverges(person: Person, action: () => Promise<unknown>): Promise<void> {
  const register = { fetch_event_types: snapshotTypes, include_subscribers: true, client_extavatar: false }
  let kept = pick(await person.listen(register))
  await action()
  for (const event of await person.events()) kept = applyEvent(kept, event, person.id)
  const queueId = person.queueId
  expect(kept).toEqual(pick(await person.listen(register)))
  await person.delete('/events', { queue_id: queueId })
}

const parts = [
  'realm_users',
  'realm_non_active_users',
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
  'realm_user_groups',
  'realm_default_streams',
  'realm_domains',
  'realm_default_stream_groups',
  ...Object.keys(RealmFields.shape).map((name) => `realm_${name}` as keyof Snapshot),
  'realm_icon_source',
  'realm_icon_url',
  'realm_logo_source',
  'realm_logo_url',
  'realm_night_logo_source',
  'realm_night_logo_url',
  'realm_allow_edit_history',
  'realm_email_auth_enabled',
  'realm_password_auth_enabled',
] as const satisfies (keyof Snapshot)[]

const pick = (reply: Record<string, any>): Snapshot =>
  Object.fromEntries(parts.map((part) => [part, reply[part]])) as unknown as Snapshot
