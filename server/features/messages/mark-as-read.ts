/** The three deprecated ways to mark many messages as read at once. */
import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { channelToSee } from '../channels/access.ts'
import { conversationOfChannel } from './conversations.ts'
import { changeFlag, unreadIds } from './flag-actions.ts'
import { meantTopic, topicKey } from './topics.ts'

export const markAllAsRead = defineRoute({
  id: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark everything as read',
  caller: 'user',
  params: {},
  result: z.object({ complete: z.boolean() }),
  run: (ctx, me) =>
    ctx.transact((tx) => {
      changeFlag(tx, me, unreadIds(tx, me), 'read', 'add')
      return { complete: true }
    }),
})

export const markChannelAsRead = defineRoute({
  id: 'mark-stream-as-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark all of a channel as read',
  caller: 'user',
  params: { stream_id: text(z.int()) },
  result: z.object({}),
  run: (ctx, me, { stream_id }) =>
    ctx.transact((tx) => {
      const { id } = channelToSee(ctx, tx, me, stream_id)
      changeFlag(tx, me, unreadIds(tx, me, { conversationId: conversationOfChannel(tx, id) }), 'read', 'add')
      return {}
    }),
})

export const markTopicAsRead = defineRoute({
  id: 'mark-topic-as-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark all of a topic as read',
  caller: 'user',
  params: { stream_id: text(z.int()), topic_name: text(z.string()) },
  result: z.object({}),
  run: (ctx, me, { stream_id, topic_name }) =>
    ctx.transact((tx) => {
      const { id } = channelToSee(ctx, tx, me, stream_id)
      const where = {
        conversationId: conversationOfChannel(tx, id),
        topicKey: topicKey(meantTopic(topic_name.trim())),
      }
      changeFlag(tx, me, unreadIds(tx, me, where), 'read', 'add')
      return {}
    }),
})
