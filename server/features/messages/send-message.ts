import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { MissingParameterError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { followAfterSending } from '../user-topics/actions.ts'
import { sendMessage as send } from './actions.ts'
import { prepareContent, type Target } from './content.ts'
import { channelToPostTo, To, usersToWriteTo } from './recipients.ts'
import { parseTopic } from './topics.ts'

/** Clients in which a person reads what they write, so that it need not wait for them as unread. */
const humanClient = /^website$|mobile|desktop|electron|terminal|flutter|android|ios/i

/** Whether what is sent with a client of that name counts as read by who sends it. */
export const isReadByHumans = (client: string): boolean => humanClient.test(client)

export const sendMessage = defineRoute({
  id: 'send-message',
  method: 'POST',
  path: '/messages',
  summary: 'Send a message to a channel or to users',
  caller: 'user',
  forWebhookBots: true,
  params: {
    type: text(z.enum(['direct', 'channel', 'stream', 'private'])),
    to: json(To),
    content: text(z.string()),
    topic: text(z.string().optional(), {
      aliases: ['subject'],
      description: 'Required for channel messages.',
    }),
    queue_id: text(z.string().optional(), {
      description: 'The queue that gets `local_id` back, for local echo.',
    }),
    local_id: text(z.string().optional()),
    read_by_sender: text(z.boolean().optional()),
  },
  result: z.object({ id: z.int(), automatic_new_visibility_policy: z.literal([2, 3]).optional() }),
  run: (ctx, me, { type, to, topic, content, queue_id, local_id, read_by_sender }) => {
    const toChannel = type === 'channel' || type === 'stream'
    if (toChannel && topic === undefined) throw new MissingParameterError('topic')
    return ctx.transact((tx) => {
      const target: Target = toChannel
        ? { channel: channelToPostTo(ctx, tx, me, to), topic: parseTopic(ctx.realm, topic ?? '') }
        : { users: usersToWriteTo(ctx, tx, me, to) }
      const id = send(ctx, tx, me, {
        target,
        content: prepareContent(ctx, tx, me, content, target),
        client: ctx.request.client,
        readBySender: read_by_sender ?? isReadByHumans(ctx.request.client),
        realmUrl: ctx.request.realmUrl,
        ...(queue_id && local_id ? { echo: { queueId: queue_id, localId: local_id } } : {}),
      })
      const followed =
        'channel' in target ? followAfterSending(ctx, tx, me, target.channel, target.topic) : undefined
      return { id, ...(followed ? { automatic_new_visibility_policy: followed } : {}) }
    })
  },
})
