/** Who hears of bots beyond what everybody hears of users: those who may manage them. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { EventOf } from '../../events/union.ts'
import type { User } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { activePeople, userById } from '../users/store.ts'
import { presentBot } from './present.ts'
import { botsOf, settingsNaming } from './store.ts'

/** Ids of the active users who may manage a bot. */
export function managerIds(tx: Tx, ownerId: number | null): number[] {
  return activePeople(tx)
    .filter((person) => person.id === ownerId || (isAdministrator(person) && !person.is_bot))
    .map(({ id }) => id)
}

export function tellOfNewBot(
  ctx: RealmContext,
  tx: Tx,
  bot: User,
  to = managerIds(tx, bot.bot_owner_id),
): void {
  if (to.length > 0) tx.emit({ type: 'realm_bot', op: 'add', bot: presentBot(ctx, tx, bot) }, { to })
}

type Update = Omit<Extract<EventOf<'realm_bot'>, { op: 'update' }>['bot'], 'user_id'>

/** Tells of a bot's change. Of a user who is no bot there is nothing to tell. */
export function tellOfBot(tx: Tx, bot: User, update: Update): void {
  if (!bot.is_bot || bot.is_system_bot) return
  const to = managerIds(tx, bot.bot_owner_id)
  if (to.length > 0) tx.emit({ type: 'realm_bot', op: 'update', bot: { user_id: bot.id, ...update } }, { to })
}

/** Clients know the channels of a bot by their names. */
export function tellBotsOfName(tx: Tx, channelId: number, name: string): void {
  for (const settings of settingsNaming(tx, channelId)) {
    const bot = userById(tx, settings.bot_id)
    if (!bot) continue
    tellOfBot(tx, bot, {
      ...(settings.default_sending_channel_id === channelId ? { default_sending_stream: name } : {}),
      ...(settings.default_events_register_channel_id === channelId
        ? { default_events_register_stream: name }
        : {}),
    })
  }
}

/** Tells somebody whose role changed of the bots that they may manage now, or no longer. */
export function tellOfManagedBots(ctx: RealmContext, tx: Tx, before: User, after: User): void {
  if (isAdministrator(before) === isAdministrator(after) || after.is_bot) return
  for (const bot of botsOf(tx, null)) {
    if (bot.bot_owner_id === after.id) continue
    if (isAdministrator(after)) tellOfNewBot(ctx, tx, bot, [after.id])
    else tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, { to: [after.id] })
  }
}
