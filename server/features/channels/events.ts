import { z } from 'zod'
import { GroupSetting } from '../user-groups/setting-param.ts'
import { ChannelObject, SubscriptionObject } from './present.ts'

const stream = z.literal('stream')
const subscription = z.literal('subscription')

export const channelEvents = [
  z.strictObject({ type: stream, op: z.literal('create'), streams: z.array(ChannelObject) }),
  z.strictObject({
    type: stream,
    op: z.literal('delete'),
    stream_ids: z.array(z.int()),
    streams: z.array(z.strictObject({ stream_id: z.int() })),
  }),
  z.strictObject({
    type: stream,
    op: z.literal('update'),
    stream_id: z.int(),
    /** The name before the change, where it is the name that changes. */
    name: z.string(),
    property: z.string(),
    value: z.union([GroupSetting, z.boolean(), z.string(), z.null()]),
    rendered_description: z.string().optional(),
    history_public_to_subscribers: z.boolean().optional(),
    is_web_public: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('default_streams'), default_streams: z.array(z.int()) }),
  z.strictObject({
    type: subscription,
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.int(), z.boolean(), z.string()]),
  }),
  z.strictObject({ type: subscription, op: z.literal('add'), subscriptions: z.array(SubscriptionObject) }),
  z.strictObject({
    type: subscription,
    op: z.literal('remove'),
    subscriptions: z.array(z.strictObject({ name: z.string(), stream_id: z.int() })),
  }),
  z.strictObject({
    type: subscription,
    op: z.literal('peer_add'),
    stream_ids: z.array(z.int()),
    user_ids: z.array(z.int()),
  }),
  z.strictObject({
    type: subscription,
    op: z.literal('peer_remove'),
    stream_ids: z.array(z.int()),
    user_ids: z.array(z.int()),
  }),
] as const
