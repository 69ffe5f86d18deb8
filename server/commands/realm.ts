import { parseCommand, print, readPassword, required, withAdmin } from './client.ts'
import { UsageError } from './exit.ts'

interface RealmInfo {
  name: string
  display_name: string
  url: string
  users: number
}

/** `parley realm create` and `parley realm list`. */
export async function runRealm([what = '', ...words]: string[]): Promise<void> {
  if (what === 'create') return createRealm(words)
  if (what === 'list') return listRealms(words)
  throw new UsageError('parley realm create, or parley realm list?')
}

async function createRealm(words: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { flags, names } = parseCommand(words, {
    'owner-email': text,
    'owner-name': text,
    'display-name': text,
    furnished: { type: 'boolean' },
    'password-stdin': { type: 'boolean' },
  })
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new UsageError('Name one realm.')
  const body = {
    name,
    display_name: flags['display-name'],
    owner_email: required(flags, 'owner-email'),
    owner_name: required(flags, 'owner-name'),
    owner_password: await readPassword(flags),
    furnished: flags.furnished,
  }
  const { realm, owner } = await withAdmin(flags, (admin) => admin.post('/realms', body))
  const { url } = realm as RealmInfo
  const { email, api_key } = owner as { email: string; api_key: string }
  print(flags, { realm, owner }, `Realm ${name} is at ${url}\nOwner ${email}, API key ${api_key}`)
}

async function listRealms(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, {})
  if (names.length > 0) throw new UsageError('parley realm list takes no names.')
  const { realms } = await withAdmin(flags, (admin) => admin.get('/realms'))
  const lines = (realms as RealmInfo[]).map(
    ({ name, display_name, users }) => `${name}\t${display_name}\t${users} users`,
  )
  print(flags, { realms }, lines.join('\n') || 'There is no realm yet.')
}
