/** What a new office begins with. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { createChannel, subscribe } from '../channels/actions.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import type { User } from '../users/access.ts'
import { welcome } from '../users/welcome.ts'
import { changeRealm } from './actions.ts'

/** Gives a new organization a channel that everybody joins, with a first message in it, and welcomes its owner. */
export function furnish(ctx: RealmContext, tx: Tx, owner: User): void {
  const channel = createChannel(ctx, tx, {
    name: 'general',
    description: 'For what concerns all of us',
    creator_id: owner.id,
    is_default: true,
  })
  subscribe(ctx, tx, channel, [owner])
  changeRealm(ctx, tx, { new_stream_announcements_stream_id: channel.id })
  const text = [
    `Welcome to **${ctx.realm.name.replaceAll('*', '')}**! Everybody who joins the organization is in this channel.`,
    'Write under a *topic* of a few words, and answer under the same one: so several conversations stay apart. ' +
      'For what concerns fewer people, make more channels.',
  ].join('\n\n')
  sendNotification(ctx, tx, { channelId: channel.id, topic: 'welcome' }, text)
  welcome(ctx, tx, owner)
}
