import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { AttachmentObject } from '../uploads/present.ts'
import { editMessage as edit } from './edit-actions.ts'

export const editMessage = defineRoute({
  id: 'update-message',
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: 'Edit the content of a message, or move messages to another topic or channel',
  caller: 'user',
  params: {
    message_id: path(z.int()),
    content: text(z.string().optional()),
    topic: text(z.string().optional(), { aliases: ['subject'] }),
    stream_id: text(z.int().optional()),
    propagate_mode: text(z.enum(['change_one', 'change_later', 'change_all']).default('change_one'), {
      description: 'Which messages move: this one, all from this one on, or the whole topic.',
    }),
    send_notification_to_old_thread: text(z.boolean().default(false)),
    send_notification_to_new_thread: text(z.boolean().default(true)),
  },
  result: z.object({ detached_uploads: z.array(AttachmentObject) }),
  run: (ctx, me, params) =>
    ctx.transact((tx) => ({
      detached_uploads: edit(ctx, tx, me, {
        messageId: params.message_id,
        content: params.content,
        topic: params.topic,
        channelId: params.stream_id,
        propagateMode: params.propagate_mode,
        notifiesOldTopic: params.send_notification_to_old_thread,
        notifiesNewTopic: params.send_notification_to_new_thread,
      }),
    })),
})
