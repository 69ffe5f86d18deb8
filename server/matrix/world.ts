/** An organization with one caller of each kind, and whatever operations need to find there. */
import { RealmContext } from '../context.ts'
import { updateUser } from '../features/users/store.ts'
import type { RoleName } from '../features/users/roles.ts'
import { type Body, type Params, Person, type TestServer } from '../test/boot.ts'

/** Callers with right credentials, from the mightiest. */
export const insiders = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot'] as const
export type Insider = (typeof insiders)[number]
/** Callers that hardly any operation serves. */
export const outsiders = ['webhook', 'deactivated', 'spectator', 'wrongKey', 'stranger'] as const
export type Outsider = (typeof outsiders)[number]

/** The smallest picture there is. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const picture = { name: 'dot.png', bytes: pixel, type: 'image/png' }

export interface Place {
  id: number
  name: string
}

export class World {
  private count = 0
  private commonChannel: Promise<Place> | undefined

  private constructor(
    readonly server: TestServer,
    readonly realm: string,
    readonly callers: Readonly<Record<Insider | Outsider, Person>>,
    /** A member who calls nothing: whom things are done to. */
    readonly other: Person,
    readonly ctx: RealmContext,
  ) {}

  static async make(server: TestServer, realm: string): Promise<World> {
    // What is indexed in quiet moments would look like a write of whatever was asked just then.
    server.running.server.searchIndex.stop()
    const owner = await server.owner(realm)
    const ctx = new RealmContext(server.running.server, server.realm(realm))
    const roles: RoleName[] = ['administrator', 'moderator', 'member', 'guest']
    const people = new Map<string, Person>()
    for (const role of roles) people.set(role, await server.as(role, role, realm))
    const named = (name: string) => people.get(name) as Person
    const member = named('member')
    const deactivated = await server.as('gone', 'member', realm)
    const bot = async (short_name: string, bot_type: number) => {
      const made = await member.post('/bots', { full_name: short_name, short_name, bot_type })
      return new Person(member.base, made['email'], made['api_key'], made['user_id'])
    }
    const stranger = await server.owner('elsewhere')
    const callers = {
      owner,
      administrator: named('administrator'),
      moderator: named('moderator'),
      member,
      guest: named('guest'),
      bot: await bot('machine', 1),
      webhook: await bot('hook', 2),
      deactivated,
      spectator: new Person(owner.base, '', '', 0),
      wrongKey: new Person(owner.base, member.email, 'x'.repeat(32), member.id),
      stranger: new Person(owner.base, stranger.email, stranger.apiKey, stranger.id),
    }
    await owner.delete(`/users/${deactivated.id}`)
    const other = await server.as('other', 'member', realm)
    ctx.transact((tx) => updateUser(tx, owner.id, { can_create_users: 1, can_change_user_emails: 1 }))
    return new World(server, realm, callers, other, ctx)
  }

  get owner(): Person {
    return this.callers.owner
  }

  /** A name that nothing has yet. */
  name(kind = 'thing'): string {
    this.count += 1
    return `${kind}${this.count}`
  }

  /** How many commits there were: the same number means that nothing was written. */
  get sequence(): number {
    return this.server.running.server.database.sequence
  }

  /** A new member. */
  person(role: RoleName = 'member'): Promise<Person> {
    return this.server.as(this.name('person'), role, this.realm)
  }

  /** Subscribes everybody to a new public channel. */
  async channel(options: Params = {}): Promise<Place> {
    const name = this.name('channel')
    const everybody = [...insiders, 'webhook' as const].map((caller) => this.callers[caller].id)
    await this.owner.join(name, { principals: everybody, ...options })
    const { stream_id } = await this.owner.get('/get_stream_id', { stream: name })
    return { id: stream_id, name }
  }

  /** A channel of everybody's that stays as it is. */
  common(): Promise<Place> {
    this.commonChannel ??= this.channel()
    return this.commonChannel
  }

  async message(author: Person = this.owner, content = 'Hello'): Promise<number> {
    return author.say((await this.common()).name, this.name('topic'), content)
  }

  /** @returns id of a group made by the owner */
  async group(members: readonly Person[] = [], fields: Params = {}): Promise<number> {
    const name = this.name('group')
    const ids = members.map(({ id }) => id)
    const params = { name, description: 'A group', members: ids, ...fields }
    return (await this.owner.post('/user_groups/create', params))['group_id']
  }

  /** @returns the path below `/user_uploads` of a file just sent */
  async upload(by: Person): Promise<string> {
    const { body } = await by.send('POST', '/user_uploads', { name: 'note.txt', bytes: 'hello' })
    return String(body['url']).replace('/user_uploads/', '')
  }

  /** @returns id of a bot of a person's own */
  async botOf(owner: Person): Promise<number> {
    const short_name = this.name('robot')
    return (await owner.post('/bots', { full_name: short_name, short_name }))['user_id']
  }

  /** @returns id of an invitation of the owner's */
  async invitation(isLink: boolean): Promise<number> {
    const invitee_emails = `${this.name('guest')}@${this.realm}.example`
    if (isLink) await this.owner.post('/invites/multiuse')
    else await this.owner.post('/invites', { invitee_emails, stream_ids: [] })
    const { invites } = await this.owner.get('/invites')
    return invites.findLast((one: Body) => one['is_multiuse'] === isLink).id
  }

  /** Waits until no export is being made. */
  async exported(): Promise<void> {
    const isPending = (one: Body) => one['pending']
    while ((await this.owner.get('/export/realm'))['exports'].some(isPending)) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
