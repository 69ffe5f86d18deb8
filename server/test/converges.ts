/** The one test that finds a forgotten event: an old snapshot with the events since must equal a fresh one. */
import { expect } from 'vitest'
import { applyEvent, type Snapshot } from '../contract.ts'
import type { Body, Params, Person } from './boot.ts'

/** A client of today, and one that declares nothing. */
export const clients = {
  modern: {
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      linkifier_url_template: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
      // No event of this level says that a channel was archived and not deleted.
      archived_channels: false,
    },
  },
  legacy: { client_capabilities: {} },
} as const satisfies Record<string, Params>

/**
 * What events do not keep current: facts of the queue and of the server; what passes with time or follows from other
 * parts; and what their protocol cannot say (presence events leave out most of what changes, and nothing tells which
 * message is the newest after the newest was deleted).
 */
const untold = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presences',
  'presence_last_update_id',
  'max_message_id',
  'recent_private_conversations',
  'can_create_streams',
  'can_create_public_streams',
  'can_create_private_streams',
  'can_create_web_public_streams',
  'can_subscribe_other_users',
  'can_invite_others_to_realm',
  'realm_create_public_stream_policy',
  'realm_create_private_stream_policy',
  'realm_create_web_public_stream_policy',
  'realm_wildcard_mention_policy',
]

/** A client that keeps its snapshot by the events it gets. */
export class Keeper {
  private constructor(
    readonly person: Person,
    readonly register: Params,
    private kept: Snapshot,
  ) {}

  static async start(person: Person, client: keyof typeof clients = 'modern'): Promise<Keeper> {
    const register = {
      // Naming types at all would leave out what is for clients that do not.
      fetch_event_types: undefined,
      include_subscribers: true,
      client_extavatar: false,
      ...clients[client],
    }
    return new Keeper(person, register, told(await person.listen(register)))
  }

  /** Takes the events since, and compares with what the server tells anew. */
  async assertCurrent(): Promise<void> {
    for (const event of await this.person.events()) {
      this.kept = applyEvent(this.kept, event, this.person.id)
    }
    const fresh = await this.person.post('/register', this.register)
    await this.person.delete('/events', { queue_id: fresh['queue_id'] })
    expect(used(this.kept), `what ${this.person.email} keeps`).toEqual(used(told(fresh)))
  }
}

/** Runs an action and checks that what this person's client keeps stays what the server would tell it anew. */
export async function expectConverges(person: Person, action: () => Promise<unknown>): Promise<void> {
  const keeper = await Keeper.start(person)
  await action()
  await keeper.assertCurrent()
  await person.delete('/events', { queue_id: person.queueId })
}

/** The parts to be compared. */
function told(reply: Body): Snapshot {
  const parts = Object.entries(reply).filter(([name]) => !untold.includes(name))
  return Object.fromEntries(parts) as unknown as Snapshot
}

/** What of a snapshot clients make use of. Of a channel's first message only those hear who get it. */
export function used(snapshot: Snapshot): Snapshot {
  const withoutFirst = <Channel>(list: Channel[]) => list.map((one) => ({ ...one, first_message_id: null }))
  return {
    ...snapshot,
    streams: withoutFirst(snapshot.streams),
    unsubscribed: withoutFirst(snapshot.unsubscribed),
    never_subscribed: withoutFirst(snapshot.never_subscribed),
  }
}
