import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'
import { schemaProblems } from '../../test/contract.ts'
import { expectConverges } from '../../test/converges.ts'

const listening = { event_types: ['realm_domains', 'realm'] }

test('owners add, change and remove domains, and everybody hears of it', async () => {
  const server = await boot()
  const owner = await server.owner()
  const guest = await server.listenAs('gus', 'guest', listening)
  const stranger = await server.listenAs('eve', 'owner', listening, 'other')
  await owner.post('/realm/domains', { domain: ' Office.Example ', allow_subdomains: true })
  expect(await guest.events()).toMatchObject([
    { type: 'realm_domains', op: 'add', realm_domain: { domain: 'office.example', allow_subdomains: true } },
  ])
  await owner.patch('/realm/domains/OFFICE.example', { allow_subdomains: false })
  await owner.patch('/realm/domains/office.example', { allow_subdomains: false })
  expect(await guest.events()).toMatchObject([
    { op: 'change', realm_domain: { domain: 'office.example', allow_subdomains: false } },
  ])
  const snapshot = await guest.post('/register', { fetch_event_types: ['realm_domains'] })
  expect(snapshot['realm_domains']).toEqual([{ domain: 'office.example', allow_subdomains: false }])
  expect(schemaProblems('Register', snapshot)).toBeNull()
  await owner.delete('/realm/domains/office.example')
  expect(await guest.events()).toMatchObject([{ op: 'remove', domain: 'office.example' }])
  expect(await stranger.events()).toEqual([])
})

test('what is not a domain, there already or not there is refused, and nobody but owners may', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.post('/realm/domains', { domain: 'office.example' })
  await owner.listen(listening)
  for (const domain of ['office.example', 'office', '', 'a b.example', '-a.example', 'x@office.example']) {
    await owner.refused('POST', '/realm/domains', { domain }, 'BAD_REQUEST')
  }
  await owner.refused('PATCH', '/realm/domains/other.example', { allow_subdomains: true }, 'BAD_REQUEST')
  await owner.refused('DELETE', '/realm/domains/other.example', {}, 'BAD_REQUEST')
  for (const role of ['administrator', 'member', 'guest'] as const) {
    const person = await server.as(role, role)
    await person.refused('POST', '/realm/domains', { domain: 'new.example' }, 'BAD_REQUEST')
    await person.refused('PATCH', '/realm/domains/office.example', { allow_subdomains: true }, 'BAD_REQUEST')
    await person.refused('DELETE', '/realm/domains/office.example', {}, 'BAD_REQUEST')
  }
  expect(await owner.events()).toEqual([])
})

test('the restriction to domains keeps other addresses out, and goes with the last domain', async () => {
  const server = await boot()
  const owner = await server.owner()
  const account = (email: string) => ({ email, full_name: 'New', password: 'long enough' })
  await owner.post('/realm/domains', { domain: 'office.example', allow_subdomains: true })
  await owner.post('/realm/domains', { domain: 'lab.example' })
  await owner.patch('/realm', { emails_restricted_to_domains: true })
  await owner.refused('POST', '/users', account('a@elsewhere.example'), 'BAD_REQUEST')
  await owner.refused('POST', '/users', account('a@sub.lab.example'), 'BAD_REQUEST')
  await owner.refused('POST', '/users', account('a@notoffice.example'), 'BAD_REQUEST')
  await owner.post('/users', account('A@Office.Example'))
  await owner.post('/users', account('a@sub.office.example'))
  await owner.post('/users', account('a@lab.example'))
  await owner.listen(listening)
  await owner.delete('/realm/domains/lab.example')
  await owner.delete('/realm/domains/office.example')
  expect(await owner.events()).toMatchObject([
    { type: 'realm_domains', op: 'remove', domain: 'lab.example' },
    { type: 'realm_domains', op: 'remove', domain: 'office.example' },
    { type: 'realm', op: 'update_dict', data: { emails_restricted_to_domains: false } },
  ])
  await owner.post('/users', account('a@elsewhere.example'))
})

test('disposable addresses are kept out until that is switched off', async () => {
  const owner = await (await boot()).owner()
  const account = { email: 'a@inbox.mailinator.com', full_name: 'New', password: 'long enough' }
  await owner.refused('POST', '/users', account, 'BAD_REQUEST')
  await owner.patch('/realm', { disallow_disposable_email_addresses: false })
  await owner.post('/users', account)
})

test('a snapshot stays current', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.post('/realm/domains', { domain: 'office.example' })
  await expectConverges(await server.as('ann'), async () => {
    await owner.post('/realm/domains', { domain: 'lab.example' })
    await owner.patch('/realm/domains/office.example', { allow_subdomains: true })
    await owner.delete('/realm/domains/lab.example')
  })
})
