import { describe, expect, test } from 'vitest'
import { type Body, boot, type Params, type Person, type TestServer } from '../../test/boot.ts'

const linkFor = async (person: Person, more: Params = {}): Promise<string> =>
  (await person.post('/invites/multiuse', more))['invite_link']

const submit = (link: string, fields: object) =>
  fetch(link, { method: 'POST', body: new URLSearchParams(fields as Record<string, string>) })

const form = { full_name: 'New Person', email: 'new@test.example', password: 'a good password' }

const invitesOf = async (person: Person): Promise<Body[]> => (await person.get('/invites'))['invites']

describe('invitations', () => {
  test('are listed to their inviter and the administrators, who hear of every change', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.listen()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    for (const person of [owner, ann, bob]) await person.events()
    const changed = [{ type: 'invites_changed' }]
    await ann.post('/invites', { invitee_emails: 'a@x.example,\nb@x.example', stream_ids: [] })
    expect(await ann.events()).toMatchObject(changed)
    expect(await owner.events()).toMatchObject(changed)
    const [first, second] = await invitesOf(ann)
    expect(first).toMatchObject({
      email: 'a@x.example',
      is_multiuse: false,
      invited_as: 400,
      invited_by_user_id: ann.id,
      notify_referrer_on_join: true,
      link_url: expect.stringMatching(/\/r\/test\/join\/\w{32}$/),
    })
    expect(first!['expiry_date'] - first!['invited']).toBe(14_400 * 60)
    expect(await invitesOf(owner)).toHaveLength(2)
    expect(await invitesOf(bob)).toEqual([])
    await bob.refused('DELETE', `/invites/${first!['id']}`, {}, 'BAD_REQUEST')
    await bob.refused('POST', `/invites/${first!['id']}/resend`, {}, 'BAD_REQUEST')
    await ann.refused('DELETE', `/invites/multiuse/${first!['id']}`, {}, 'BAD_REQUEST')
    await ann.post(`/invites/${first!['id']}/resend`)
    await ann.delete(`/invites/${first!['id']}`)
    await owner.delete(`/invites/${second!['id']}`)
    expect(await ann.events()).toMatchObject([...changed, ...changed, ...changed])
    expect(await bob.events()).toEqual([])
    expect(await invitesOf(owner)).toEqual([])
  })

  test('go to nobody who has an account, and all the others all the same', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await server.as('bob')
    const both = { invitee_emails: 'bob@test.example, c@x.example', stream_ids: [] }
    const refused = await ann.refused('POST', '/invites', both, 'INVITATION_FAILED')
    expect(refused).toMatchObject({
      sent_invitations: true,
      errors: [['bob@test.example', expect.any(String), false]],
    })
    expect(await invitesOf(ann)).toMatchObject([{ email: 'c@x.example' }])
    const wrong = { invitee_emails: 'nonsense, d@x.example', stream_ids: [] }
    const nobody = await ann.refused('POST', '/invites', wrong, 'INVITATION_FAILED')
    expect(nobody).toMatchObject({
      sent_invitations: false,
      errors: [['nonsense', expect.any(String), false]],
    })
    await ann.refused('POST', '/invites', { invitee_emails: ' ,', stream_ids: [] }, 'BAD_REQUEST')
    expect(await invitesOf(ann)).toHaveLength(1)
  })

  test('give away no more than their inviter may', async () => {
    const server = await boot()
    const owner = await server.owner()
    const admin = await server.as('adam', 'administrator')
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    await owner.join('secret', { invite_only: true })
    const { streams } = await owner.get('/streams')
    const to = (invite_as: number, stream_ids: number[] = []) => ({
      invitee_emails: `x${invite_as}@x.example`,
      invite_as,
      stream_ids,
    })
    for (const role of [100, 200, 300]) await ann.refused('POST', '/invites', to(role), 'BAD_REQUEST')
    await ann.refused('POST', '/invites', to(400, [streams[0].stream_id]), 'BAD_REQUEST')
    await ann.refused('POST', '/invites', to(400, [4711]), 'BAD_REQUEST')
    await admin.refused('POST', '/invites', to(100), 'BAD_REQUEST')
    await gus.refused('POST', '/invites', to(600), 'BAD_REQUEST')
    await gus.refused('GET', '/invites', {}, 'BAD_REQUEST')
    await ann.refused('POST', '/invites/multiuse', {}, 'BAD_REQUEST')
    await owner.post('/invites', to(100))
    // An administrator knows of it, and cannot become an owner by it.
    const [seen] = await invitesOf(admin)
    expect(seen).not.toHaveProperty('link_url')
    await admin.refused('DELETE', `/invites/${seen!['id']}`, {}, 'BAD_REQUEST')
  })

  test('of somebody who is deactivated end', async () => {
    const server = await boot()
    const owner = await server.owner()
    const admin = await server.as('adam', 'administrator')
    const link = await linkFor(admin)
    await owner.delete(`/users/${admin.id}`)
    expect((await fetch(link)).status).toBe(404)
    expect(await invitesOf(owner)).toEqual([])
  })
})

describe('the page of an invitation', () => {
  const join = async (server: TestServer, fields: object = {}, more: Params = {}) => {
    const owner = await server.owner()
    const link = await linkFor(owner, more)
    return { owner, link, response: await submit(link, { ...form, ...fields }) }
  }

  test('makes an account with the role, channels and groups that were offered', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.join(['general', 'random', 'default'])
    const { streams } = await owner.get('/streams')
    const idOf = (name: string): number => streams.find((one: Body) => one['name'] === name).stream_id
    await owner.post('/user_groups/create', { name: 'cooks', description: '', members: [] })
    const { user_groups } = await owner.get('/user_groups')
    const group = user_groups.find((one: Body) => one['name'] === 'cooks').id
    await owner.listen()
    const { response } = await join(
      server,
      {},
      { invite_as: 600, stream_ids: [idOf('random')], group_ids: [group] },
    )
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('new@test.example')
    expect(text).not.toContain('a good password')
    const added = (await owner.events()).find(({ type, op }) => type === 'realm_user' && op === 'add')
    expect(added).toMatchObject({ person: { full_name: 'New Person', role: 600 } })
    const { api_key, user_id } = await owner.post('/fetch_api_key', {
      username: form.email,
      password: form.password,
    })
    expect(api_key).toBeTypeOf('string')
    const member = await server.as('new')
    expect(member.id).toBe(user_id)
    const { subscriptions } = await member.get('/users/me/subscriptions')
    expect(subscriptions.map((one: Body) => one['name'])).toEqual(['random'])
    expect((await owner.get(`/user_groups/${group}/members`))['members']).toEqual([user_id])
    const { messages } = await member.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
    expect(messages).toMatchObject([{ sender_full_name: 'Notification Bot', type: 'private' }])
  })

  test('carries no script, and says so to the browser', async () => {
    const server = await boot()
    const owner = await server.owner()
    const response = await fetch(await linkFor(owner))
    expect(response.status).toBe(200)
    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.text()).toContain('<form method="post">')
  })

  test.each([
    ['no name', { full_name: '' }],
    ['a short password', { password: '123' }],
    ['no address', { email: 'nobody' }],
    ['a taken address', { email: 'owner@test.example' }],
    ['markup', { full_name: '"><script>alert(1)</script>' }],
  ])('shows what is wrong with %s where it is, and keeps the rest', async (_what, wrong) => {
    const { owner, response } = await join(await boot(), wrong)
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toMatch(/class="problem"/)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('a good password')
    expect((await owner.get('/users'))['members']).toHaveLength(1)
  })

  test('to one address serves that address once', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.post('/invites', { invitee_emails: 'only@x.example', stream_ids: [] })
    const [invite] = await invitesOf(owner)
    const response = await submit(invite!['link_url'], { ...form, email: 'other@x.example' })
    expect(await response.text()).toContain('only@x.example')
    expect((await submit(invite!['link_url'], form)).status).toBe(404)
    expect((await owner.get('/users'))['members'].map((user: Body) => user['email'])).toEqual([
      'owner@test.example',
      'only@x.example',
    ])
    expect(await invitesOf(owner)).toEqual([])
  })

  test('that has ended, or is of another organization, is not found', async () => {
    let now = Date.now()
    const server = await boot({}, { now: () => now })
    const owner = await server.owner()
    const zoe = await server.owner('other')
    const link = await linkFor(owner, { invite_expires_in_minutes: 10 })
    expect((await fetch(link.replace('/r/test/', '/r/other/'))).status).toBe(404)
    expect(await invitesOf(zoe)).toEqual([])
    now += 10 * 60_000
    expect((await fetch(link)).status).toBe(404)
    expect((await submit(link, form)).status).toBe(404)
    expect(await invitesOf(owner)).toEqual([])
  })

  test('slows down who tries again and again', async () => {
    const server = await boot({ dev: false })
    const realm = server.realm('test')
    const { database } = server.running.server
    const [owner] = database.all<{ api_key: string }>(
      'SELECT api_key FROM users WHERE realm_id = ? AND role = 100',
      [realm.id],
    )
    const reply = await fetch(`${server.url}/r/test/api/v1/invites/multiuse`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`owner@test.example:${owner!.api_key}`)}` },
    })
    const { invite_link } = (await reply.json()) as Body
    const statuses = []
    for (let i = 0; i < 31; i++)
      statuses.push((await submit(invite_link, { ...form, email: 'owner@test.example' })).status)
    expect(statuses.at(-1)).toBe(429)
  })
})
