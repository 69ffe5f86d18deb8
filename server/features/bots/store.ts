import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import type { User } from '../users/access.ts'
import { allUsers } from '../users/store.ts'

export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** Bots of one owner, or of everybody; the server's own are nobody's. */
export const botsOf = (db: Reader, ownerId: number | null): User[] =>
  allUsers(db).filter((user) => user.is_bot && (ownerId === null || user.bot_owner_id === ownerId))

export const serviceOf = (db: Reader, botId: number): Row<'bot_services'> | undefined =>
  db.first(db.q.selectFrom('bot_services').selectAll().where('bot_id', '=', botId))

export function saveService(tx: Tx, bot_id: number, service: { base_url: string; token: string }): void {
  tx.run(tx.q.deleteFrom('bot_services').where('bot_id', '=', bot_id))
  tx.insert('bot_services', { bot_id, interface: 1, ...service })
}

export type BotSettings = Omit<Row<'bot_settings'>, 'realm_id' | 'bot_id'>

const noSettings: BotSettings = {
  default_sending_channel_id: null,
  default_events_register_channel_id: null,
  default_all_public_streams: 0,
}

export function botSettingsOf(db: Reader, botId: number): BotSettings {
  const row = db.first(
    db.q
      .selectFrom('bot_settings')
      .select([
        'default_sending_channel_id',
        'default_events_register_channel_id',
        'default_all_public_streams',
      ])
      .where('bot_id', '=', botId),
  )
  return row ?? noSettings
}

/** Settings of the bots that send to a channel, or hear of it, where nothing else is said. */
export const settingsNaming = (db: Reader, channelId: number): Row<'bot_settings'>[] =>
  db.all(
    db.q
      .selectFrom('bot_settings')
      .selectAll()
      .where((eb) =>
        eb.or([
          eb('default_sending_channel_id', '=', channelId),
          eb('default_events_register_channel_id', '=', channelId),
        ]),
      ),
  )

export function saveBotSettings(tx: Tx, bot_id: number, changes: Partial<BotSettings>): void {
  const settings = { ...botSettingsOf(tx, bot_id), ...changes }
  tx.run(tx.q.deleteFrom('bot_settings').where('bot_id', '=', bot_id))
  tx.insert('bot_settings', { bot_id, ...settings })
}
