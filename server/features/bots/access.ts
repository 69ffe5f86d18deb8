/** Bots together with whether the one who asks may manage them. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { holdsOfRealm } from '../user-groups/access.ts'
import type { RealmPermission } from '../user-groups/settings.ts'
import { assertHuman, type Me, type User } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { userById } from '../users/store.ts'
import { BotType } from './store.ts'

/** A bot of one's own, or any for an administrator. @throws BadRequestError */
export function botToManage(db: Reader, me: Me, id: number): User {
  assertHuman(me)
  const bot = userById(db, id)
  if (!bot?.is_bot || bot.is_system_bot) throw new BadRequestError('No such bot')
  if (bot.bot_owner_id !== me.id && !isAdministrator(me)) throw new BadRequestError('Insufficient permission')
  return bot
}

/** @throws BadRequestError when `me` may not make bots of this type */
export function assertMayCreateBot(ctx: RealmContext, db: Reader, me: Me, type: number): void {
  assertHuman(me)
  const may = (name: RealmPermission) => holdsOfRealm(ctx, db, name, me)
  const writesOnly = type === BotType.incomingWebhook
  if (!may('can_create_bots_group') && !(writesOnly && may('can_create_write_only_bots_group'))) {
    throw new BadRequestError('Insufficient permission')
  }
}
