import {
  type AdminClient,
  type Flags,
  parseCommand,
  print,
  readPassword,
  required,
  withAdmin,
} from './client.ts'
import { ExitError, UsageError } from './exit.ts'
import { Role, type RoleName } from '../features/users/roles.ts'
import { emailKey } from '../features/users/store.ts'

interface UserInfo {
  user_id: number
  email: string
  full_name: string
  role: number
  is_active: boolean
  is_bot: boolean
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const realmPath = (flags: Flags): string => `/realms/${encodeURIComponent(required(flags, 'realm'))}/users`

/** `parley user create`, `list`, `api-key`, `grant` and `revoke`. */
export async function runUser([what = '', ...words]: string[]): Promise<void> {
  switch (what) {
    case 'create':
      return createUser(words)
    case 'list':
      return listUsers(words)
    case 'api-key':
      return showApiKey(words)
    case 'grant':
    case 'revoke':
      return changeGrant(words, what === 'grant')
    default:
      throw new UsageError('parley user create, list, api-key, grant or revoke?')
  }
}

async function createUser(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, {
    realm: text,
    name: text,
    role: text,
    'password-stdin': flag,
  })
  const email = onlyName(names)
  const role = flags['role'] ?? 'member'
  if (!(String(role) in Role)) throw new UsageError(`There is no role '${role}'.`)
  const body = {
    email,
    full_name: required(flags, 'name'),
    role: Role[role as RoleName],
    password: await readPassword(flags),
  }
  const path = realmPath(flags)
  const { user_id, api_key } = await withAdmin(flags, (admin) => admin.post(path, body))
  print(
    flags,
    { user_id, email, api_key },
    `User ${email} has id ${String(user_id)} and API key ${String(api_key)}`,
  )
}

async function listUsers(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, { realm: text })
  if (names.length > 0) throw new UsageError('parley user list takes no names.')
  const path = realmPath(flags)
  const { users } = await withAdmin(flags, (admin) => admin.get(path))
  const lines = (users as UserInfo[]).map((user) => {
    const role = Object.entries(Role).find(([, number]) => number === user.role)?.[0] ?? ''
    const notes = [user.is_bot ? 'bot' : role, user.is_active ? '' : 'deactivated'].filter(Boolean)
    return `${user.user_id}\t${user.email}\t${user.full_name}\t${notes.join(', ')}`
  })
  print(flags, { users }, lines.join('\n'))
}

async function showApiKey(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, { realm: text, reset: flag })
  const email = onlyName(names)
  const path = realmPath(flags)
  const { api_key, user_id } = await withAdmin(flags, async (admin) => {
    const user = await findUser(admin, path, email)
    const address = `${path}/${user.user_id}/api_key`
    const reply = flags['reset'] ? await admin.post(address, {}) : await admin.get(address)
    return { api_key: String(reply['api_key']), user_id: user.user_id }
  })
  print(flags, { user_id, email, api_key }, api_key)
}

async function changeGrant(words: string[], granted: boolean): Promise<void> {
  const { flags, names } = parseCommand(words, { realm: text })
  const [email, permission, ...more] = names
  if (email === undefined || permission === undefined || more.length > 0) {
    throw new UsageError('Name one user and one permission.')
  }
  if (permission !== 'can_create_users' && permission !== 'can_change_user_emails') {
    throw new UsageError(`There is no permission '${permission}'.`)
  }
  const path = realmPath(flags)
  await withAdmin(flags, async (admin) => {
    const user = await findUser(admin, path, email)
    await admin.post(`${path}/${user.user_id}/grants`, { permission, granted })
  })
  print(
    flags,
    { email, permission, granted },
    `${email} ${granted ? 'holds' : 'no longer holds'} ${permission}`,
  )
}

async function findUser(admin: AdminClient, path: string, email: string): Promise<UserInfo> {
  const { users } = await admin.get(path)
  const user = (users as UserInfo[]).find((one) => emailKey(one.email) === emailKey(email))
  if (!user) throw new ExitError(1, `There is no user ${email} in this realm.`)
  return user
}

function onlyName(names: string[]): string {
  const [email, ...more] = names
  if (email === undefined || more.length > 0) throw new UsageError('Name one user, by email address.')
  return email
}
