import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { systemBots, userById } from '../users/store.ts'
import { ChannelAccess } from './access.ts'
import { channelById } from './store.ts'

export const getEmailAddress = defineRoute({
  id: 'get-stream-email-address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: 'The address by which mail is sent to a channel',
  caller: 'user',
  params: {
    stream_id: path(z.int()),
    sender_id: text(z.int().optional(), {
      description:
        'Who is to send the messages: oneself, an own bot, or (the default) the bot of the system.',
    }),
  },
  result: z.object({ email: z.string() }),
  run: (ctx, me, { stream_id, sender_id }) => {
    const channel = channelById(ctx.db, stream_id)
    if (!channel || !new ChannelAccess(ctx, ctx.db, me).mayRead(channel)) {
      throw new BadRequestError('Invalid channel ID')
    }
    const [systemBot] = systemBots(ctx.db)
    const sender = sender_id === undefined ? systemBot : userById(ctx.db, sender_id)
    const isAllowed =
      sender && (sender.id === me.id || sender.id === systemBot?.id || sender.bot_owner_id === me.id)
    if (!isAllowed || !sender.is_active) throw new BadRequestError('Invalid sender ID')
    // Who knows the address may write there: it cannot be guessed, and ends with the sender's key.
    const token = createHmac('sha256', sender.api_key)
      .update(`channel ${channel.id}`)
      .digest('hex')
      .slice(0, 32)
    const name = channel.name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
    const readable = /^[a-z0-9-]+$/i.test(name) ? `${name.toLowerCase()}.` : ''
    return { email: `${readable}${token}@${ctx.realm.stringId}.local` }
  },
})
