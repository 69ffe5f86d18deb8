import { z } from 'zod'

export const userTopicEvents = [
  z.strictObject({
    type: z.literal('user_topic'),
    stream_id: z.int(),
    topic_name: z.string(),
    last_updated: z.int(),
    visibility_policy: z.literal([0, 1, 2, 3]),
  }),
  z.strictObject({
    type: z.literal('muted_topics'),
    /** Channel name, topic, time of muting. */
    muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])),
  }),
] as const
