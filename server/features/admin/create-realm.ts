import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { hashPassword } from '../../services/passwords.ts'
import { createRealm as create } from '../realms/actions.ts'
import { furnish } from '../realms/furnish.ts'
import { Email, FullName, Password } from '../users/fields.ts'
import { assertOperator } from './access.ts'
import { presentRealm, RealmInfo } from './present.ts'

/** It becomes a part of addresses: a label of a host name. */
const RealmName = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/,
    'Use lower-case letters, digits and inner hyphens, 1 to 40 of them.',
  )

export const createRealm = defineRoute({
  id: 'admin-create-realm',
  method: 'POST',
  path: '/realms',
  summary: 'Create an organization with its owner',
  caller: 'admin',
  params: {
    name: text(RealmName),
    display_name: text(z.string().trim().max(60).optional()),
    owner_email: text(Email),
    owner_name: text(FullName),
    owner_password: text(Password.optional()),
    furnished: text(z.boolean().default(false), {
      description: 'With a first channel and words of welcome.',
    }),
  },
  result: z.object({
    realm: RealmInfo,
    owner: z.strictObject({ user_id: z.int(), email: z.string(), api_key: z.string() }),
  }),
  run: async ({ server }, session, { name, display_name, furnished, ...given }) => {
    assertOperator(session)
    const { owner_email, owner_name, owner_password } = given
    const password_hash = owner_password === undefined ? null : await hashPassword(owner_password)
    const fields = {
      stringId: name,
      name: display_name || name,
      owner: { email: owner_email, full_name: owner_name, password_hash },
    }
    const { realm, owner } = create(server, fields, furnished ? furnish : undefined)
    return {
      realm: presentRealm(server, realm),
      owner: { user_id: owner.id, email: owner.delivery_email, api_key: owner.api_key },
    }
  },
})
