import { z } from 'zod'

/** Events about the server itself. */
export const serverEvents = [
  z.strictObject({
    type: z.literal('restart'),
    svc_version: z.string(),
    svc_merge_base: z.string(),
    svc_feature_level: z.int(),
    /** UNIX seconds of the start. */
    server_generation: z.int(),
  }),
  z.strictObject({ type: z.literal('web_reload_client'), immediate: z.boolean() }),
] as const
