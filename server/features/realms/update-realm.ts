import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, type Param, text } from '../../http/params.ts'
import { channelToSee } from '../channels/access.ts'
import { languageName } from '../user-settings/language.ts'
import { changedValue, GroupSettingUpdate } from '../user-groups/setting-param.ts'
import { type RealmPermission, realmPermissionNames, realmPermissions } from '../user-groups/settings.ts'
import { assertAdministrator, assertOwner, type Me } from '../users/access.ts'
import { changeRealm, type RealmChanges } from './actions.ts'
import { isMethodEnabled } from './present.ts'
import { channelSettings, MAX_REALM_NAME_LENGTH, type RealmSettings, realmSettings } from './settings.ts'
import { currentRealm, realmPermission } from './store.ts'

/** Settings with a form of their own as parameters. */
const limits = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const satisfies (keyof RealmSettings)[]
const special = [
  ...limits,
  ...channelSettings,
  'message_retention_days',
  'authentication_methods',
  // The server's operator decides on it.
  'upload_quota_mib',
] as const
type PlainSetting = Exclude<keyof typeof realmSettings, (typeof special)[number]>

type Optional<Names extends string, Schema extends z.ZodType> = Record<Names, Param<z.ZodOptional<Schema>>>
type PlainParams = {
  [Name in PlainSetting]: Param<z.ZodOptional<ReturnType<(typeof realmSettings)[Name]['unwrap']>>>
}

/** One parameter for each of these names, typed as declared. */
const each = <Names extends string, P>(names: readonly Names[], param: (name: Names) => Param): P =>
  Object.fromEntries(names.map((name) => [name, param(name)])) as P

const isPlain = (name: string): name is PlainSetting => !special.some((one) => one === name)
const plainNames = Object.keys(realmSettings).filter(isPlain)

const Limit = z.union([z.int().positive().max(2_147_483_647), z.literal('unlimited')])
const RetentionDays = z.union([z.int().positive().max(36_500), z.literal('unlimited')])

/** Only owners may change these: who may come in, and what is lost for ever. */
const ownersOnly: readonly string[] = [
  'authentication_methods',
  'can_create_groups',
  'can_manage_all_groups',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'string_id',
  'waiting_period_threshold',
]

const settingParams = {
  name: text(z.string().trim().min(1).max(MAX_REALM_NAME_LENGTH).optional()),
  ...each<PlainSetting, PlainParams>(plainNames, (name) => text(realmSettings[name].unwrap().optional())),
  ...each<(typeof limits)[number], Optional<(typeof limits)[number], typeof Limit>>(limits, () =>
    text(Limit.optional(), { description: 'Seconds.' }),
  ),
  message_retention_days: text(RetentionDays.optional()),
  ...each<(typeof channelSettings)[number], Optional<(typeof channelSettings)[number], z.ZodInt>>(
    channelSettings,
    () => text(z.int().min(-1).optional(), { description: 'The id of a channel; -1 for none.' }),
  ),
  authentication_methods: json(z.record(z.string(), z.boolean()).optional()),
  ...each<RealmPermission, Optional<RealmPermission, typeof GroupSettingUpdate>>(realmPermissionNames, () =>
    json(GroupSettingUpdate.optional()),
  ),
}

export const updateRealm = defineRoute({
  id: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  summary: 'Change settings of the organization; for administrators, some for owners',
  caller: 'user',
  params: {
    ...settingParams,
    string_id: text(z.string().optional(), {
      description: 'Only the one it has: clients know the organization by its address.',
    }),
  },
  result: z.looseObject({}),
  run: (ctx, me, given) => {
    assertAdministrator(me)
    if (ownersOnly.some((name) => given[name as keyof typeof given] !== undefined)) assertOwner(me)
    if (given.string_id !== undefined && given.string_id !== ctx.realm.stringId) {
      throw new BadRequestError('The address of an organization cannot be changed.')
    }
    return ctx.transact((tx) => changeRealm(ctx, tx, changesOf(ctx, tx, me, given)))
  },
})

type Given = { [Name in keyof typeof settingParams]: z.output<(typeof settingParams)[Name]['schema']> }

/** The settings as they are stored. @throws BadRequestError for what is not allowed beside the schema's rules */
function changesOf(ctx: RequestContext, tx: Tx, me: Me, given: Given): RealmChanges {
  const realm = currentRealm(ctx)
  const { default_language } = given
  if (default_language !== undefined && languageName(default_language) === undefined) {
    throw new BadRequestError(`Invalid language '${default_language}'`)
  }
  const changes: Record<string, unknown> = { name: given.name }
  for (const name of plainNames) changes[name] = given[name]
  for (const name of limits) changes[name] = given[name] === 'unlimited' ? null : given[name]
  const days = given.message_retention_days
  changes['message_retention_days'] = days === 'unlimited' ? -1 : days
  for (const name of channelSettings) changes[name] = channelOf(ctx, tx, me, name, given[name])
  if (given.authentication_methods) {
    changes['authentication_methods'] = methodsOf(ctx, realm.settings, given.authentication_methods)
  }
  for (const name of realmPermissionNames) {
    const current = realmPermission(tx, realm, name)
    changes[name] = changedValue(tx, name, realmPermissions[name], current, given[name])
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

function channelOf(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  name: (typeof channelSettings)[number],
  id: number | undefined,
): number | null | undefined {
  if (id === undefined) return undefined
  if (id === -1) return null
  const channel = channelToSee(ctx, tx, me, id)
  if (channel.is_archived) throw new BadRequestError('Invalid channel ID')
  if (name === 'moderation_request_channel_id' && !channel.invite_only) {
    throw new BadRequestError('Moderation request channel must be private.')
  }
  return id
}

function methodsOf(
  { server }: RequestContext,
  settings: RealmSettings,
  given: Record<string, boolean>,
): RealmSettings['authentication_methods'] {
  const authentication_methods = { ...settings.authentication_methods }
  for (const [name, enabled] of Object.entries(given)) {
    if (name !== 'Email' && name !== 'Dev') {
      throw new BadRequestError(`This server has no authentication method '${name}'`)
    }
    authentication_methods[name] = enabled
  }
  const next = { ...settings, authentication_methods }
  if (!isMethodEnabled(server, next, 'Email') && !isMethodEnabled(server, next, 'Dev')) {
    throw new BadRequestError('At least one authentication method must be enabled.')
  }
  return authentication_methods
}
