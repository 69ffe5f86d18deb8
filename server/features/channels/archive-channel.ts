import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Row } from '../../db/tables.ts'
import type { Tx } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { leaveGroups } from '../default-channel-groups/actions.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { changeRealm } from '../realms/actions.ts'
import { channelSettings } from '../realms/settings.ts'
import { currentRealm } from '../realms/store.ts'
import { channelToAdminister } from './access.ts'
import { announceDeleted, EVENTS_TOPIC, setDefault } from './actions.ts'
import { idsWhoMaySee } from './audience.ts'
import { type Channel, updateChannel } from './store.ts'

export const archiveChannel = defineRoute({
  id: 'archive-stream',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  caller: 'user',
  params: { stream_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { stream_id }) =>
    ctx.transact((tx) => {
      const channel = channelToAdminister(ctx, tx, me, stream_id)
      if (channel.is_archived) throw new BadRequestError('Channel is already archived')
      archive(ctx, tx, me, channel)
      return {}
    }),
})

/** Closes a channel: its messages can still be read, nothing more can be written, and its name is free again. */
function archive(ctx: RealmContext, tx: Tx, me: Row<'users'>, channel: Channel): void {
  const notice = `@_**${me.full_name}|${me.id}** archived this channel.`
  sendNotification(ctx, tx, { channelId: channel.id, topic: EVENTS_TOPIC }, notice)
  const knew = [...idsWhoMaySee(ctx, tx, channel)]
  if (channel.is_default) setDefault(tx, channel, false)
  updateChannel(tx, channel.id, { is_archived: 1 })
  leaveGroups(tx, channel.id)
  leaveSettings(ctx, tx, channel)
  announceDeleted(ctx, tx, knew, channel)
}

/** Where the organization's notices went into a channel that is closed, they go nowhere until another is chosen. */
function leaveSettings(ctx: RealmContext, tx: Tx, channel: Channel): void {
  const { settings } = currentRealm(ctx)
  const named = channelSettings.filter((name) => settings[name] === channel.id)
  if (named.length > 0) changeRealm(ctx, tx, Object.fromEntries(named.map((name) => [name, null])))
}
