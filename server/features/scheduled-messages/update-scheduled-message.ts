import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, path, text } from '../../http/params.ts'
import {
  assertInFuture,
  isChannelType,
  MessageType,
  ownScheduled,
  storedTarget,
  targetFor,
  To,
} from './access.ts'
import { reschedule } from './actions.ts'

export const updateScheduledMessage = defineRoute({
  id: 'update-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Change a message that waits to be sent',
  caller: 'user',
  params: {
    scheduled_message_id: path(z.int()),
    type: text(MessageType.optional(), { description: 'Takes `to`, and for a channel `topic`.' }),
    to: json(To.optional()),
    content: text(z.string().optional()),
    topic: text(z.string().optional()),
    scheduled_delivery_timestamp: text(z.int().optional(), {
      description: 'Required after a failed delivery.',
    }),
  },
  result: z.object({}),
  run: (ctx, me, { scheduled_message_id, type, to, topic, ...changes }) => {
    const { content, scheduled_delivery_timestamp } = changes
    return ctx.transact((tx) => {
      const row = ownScheduled(tx, me, scheduled_message_id)
      if ([type, to, topic, content, scheduled_delivery_timestamp].every((one) => one === undefined))
        throw new BadRequestError('Nothing to change')
      const deliveryAt = scheduled_delivery_timestamp ?? row.delivery_at
      assertInFuture(ctx, deliveryAt)
      const wasChannel = row.channel_id !== null
      const isChannel = type === undefined ? wasChannel : isChannelType(type)
      if (isChannel !== wasChannel && to === undefined)
        throw new BadRequestError('Recipient required when updating type of scheduled message.')
      if (isChannel && !wasChannel && topic === undefined)
        throw new BadRequestError('Topic required when updating scheduled message type to channel.')
      const target =
        to === undefined && (topic === undefined || !isChannel)
          ? storedTarget(ctx, tx, me, row)
          : targetFor(ctx, tx, me, {
              isChannel,
              to: to ?? row.channel_id ?? (JSON.parse(row.user_ids ?? '[]') as number[]),
              topic: topic ?? row.topic,
            })
      reschedule(ctx, tx, me, row, { target, content: content ?? row.content, deliveryAt })
      return {}
    })
  },
})
