/** Typing notifications: told at once and kept nowhere. */
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError, MissingParameterError } from '../../http/errors.ts'
import { json, path, text } from '../../http/params.ts'
import { subscriberIds } from '../channels/store.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../realms/settings.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { idsWhoMayNotAccess, type Me } from '../users/access.ts'
import { apiEmail } from '../users/visibility.ts'
import { usersByIds } from '../users/store.ts'
import { assertMayRead } from './access.ts'
import { dmUserIds, receiverIds } from './conversations.ts'
import { channelToPostTo, usersToWriteTo } from './recipients.ts'
import { placesOf } from './store.ts'
import { assertCanBeTopic } from './topics.ts'

/** In larger channels nobody is told: somebody is always typing. */
const MAX_SUBSCRIBERS = 100

export const setTyping = defineRoute({
  id: 'set-typing-status',
  method: 'POST',
  path: '/typing',
  summary: 'Tell others that one is typing, or no longer',
  caller: 'user',
  params: {
    op: text(z.enum(['start', 'stop'])),
    type: text(z.enum(['direct', 'private', 'stream', 'channel']).default('direct')),
    to: json(z.array(z.int()).min(1).optional(), { description: 'Required for direct messages.' }),
    stream_id: text(z.int().optional(), { description: 'Required for channels.' }),
    topic: text(z.string().optional(), { description: 'Required for channels.' }),
  },
  result: z.object({}),
  run: (ctx, me, { op, type, to, stream_id, topic }) => {
    if (type === 'direct' || type === 'private') {
      if (to === undefined) throw new MissingParameterError('to')
      tellDirect(ctx, me, op, to)
    } else {
      if (stream_id === undefined) throw new MissingParameterError('stream_id')
      if (topic === undefined) throw new MissingParameterError('topic')
      tellChannel(ctx, me, op, stream_id, topic)
    }
    return {}
  },
})

/** Those of the users who want to be told. */
const receiversOfTyping = (tx: Tx, userIds: readonly number[]): number[] =>
  usersByIds(tx, userIds)
    .filter((user) => settingsOf(user).receives_typing_notifications)
    .map(({ id }) => id)

type Op = 'start' | 'stop'

function tellDirect(ctx: RequestContext, me: Me, op: Op, to: number[]): void {
  if (!settingsOf(me).send_private_typing_notifications) throw directTypingIsOff()
  ctx.transact((tx) => {
    const users = usersToWriteTo(ctx, tx, me, to)
    const recipients = users.map((user) => ({ user_id: user.id, email: apiEmail(ctx.realm, user) }))
    const sender = { user_id: me.id, email: apiEmail(ctx.realm, me) }
    const ids = users.filter((user) => settingsOf(user).receives_typing_notifications).map(({ id }) => id)
    tx.emit({ type: 'typing', op, message_type: 'direct', sender, recipients }, { to: ids })
  })
}

function tellChannel(ctx: RequestContext, me: Me, op: Op, stream_id: number, topic: string): void {
  if (!settingsOf(me).send_stream_typing_notifications) throw channelTypingIsOff()
  ctx.transact((tx) => {
    const channel = channelToPostTo(ctx, tx, me, stream_id)
    const strangers = idsWhoMayNotAccess(ctx, tx, me)
    const others = subscriberIds(tx, channel.id).filter((id) => id !== me.id && !strangers.has(id))
    if (others.length >= MAX_SUBSCRIBERS) return
    // `(no topic)` is a topic of that name here, unlike elsewhere.
    const name = topic.trim() === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic.trim()
    assertCanBeTopic(name)
    const sender = { user_id: me.id, email: apiEmail(ctx.realm, me) }
    tx.emit(
      { type: 'typing', op, message_type: 'stream', sender, stream_id, topic: name },
      { to: receiversOfTyping(tx, others) },
    )
  })
}

const directTypingIsOff = () =>
  new BadRequestError('User has disabled typing notifications for direct messages')
const channelTypingIsOff = () =>
  new BadRequestError('User has disabled typing notifications for channel messages')

export const setTypingEdit = defineRoute({
  id: 'set-typing-status-for-message-edit',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Tell others that one is editing a message, or no longer',
  caller: 'user',
  params: { message_id: path(z.int()), op: text(z.enum(['start', 'stop'])) },
  result: z.object({}),
  run: (ctx, me, { message_id, op }) =>
    ctx.transact((tx) => {
      assertMayRead(ctx, tx, me, message_id)
      const [place] = placesOf(tx, [message_id])
      if (place?.sender_id !== me.id)
        throw new BadRequestError("You don't have permission to edit this message")
      const { channel_id, dm_key, topic, conversation_id } = place
      const settings = settingsOf(me)
      if (channel_id === null && !settings.send_private_typing_notifications) throw directTypingIsOff()
      if (channel_id !== null && !settings.send_stream_typing_notifications) throw channelTypingIsOff()
      const strangers = idsWhoMayNotAccess(ctx, tx, me)
      const others = receiverIds(tx, conversation_id).filter((id) => id !== me.id && !strangers.has(id))
      if (channel_id !== null && others.length >= MAX_SUBSCRIBERS) return {}
      const recipient =
        channel_id === null
          ? { type: 'direct' as const, user_ids: dmUserIds(dm_key ?? '') }
          : { type: 'channel' as const, channel_id, topic }
      tx.emit(
        { type: 'typing_edit_message', op, sender_id: me.id, message_id, recipient },
        { to: receiversOfTyping(tx, others) },
      )
      return {}
    }),
})
