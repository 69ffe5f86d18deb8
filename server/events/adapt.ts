/** The forms an event takes for clients of different abilities. Actions send the newest form only. */
import type { Audience, EventOf, ParleyEvent } from './union.ts'

/** What a client declared at registration that changes the form of what it is sent. */
export interface ClientOptions {
  applyMarkdown: boolean
  /** The client computes external avatars itself. */
  extAvatar: boolean
  capabilities: Readonly<Record<string, boolean>>
  /** What a client without `empty_topic_name` is shown for the empty topic. */
  emptyTopicDisplayName: string
}

export interface Variants {
  /** The event as JSON without its closing brace, so that the queue can add what is its own. */
  for(client: ClientOptions): string
}

/** Makes each form of an event at most once, however many queues it goes to. */
export function createVariants(event: ParleyEvent, audience: Audience): Variants {
  if (event.type !== 'message') {
    const open = openJson(event)
    return { for: () => open }
  }
  const made = new Map<string, string>()
  return {
    for: (client) => {
      const emptyTopic = event.message.subject === '' && event.message.type === 'stream'
      const topicName =
        emptyTopic && !client.capabilities['empty_topic_name'] ? client.emptyTopicDisplayName : null
      const key = `${client.applyMarkdown}|${client.extAvatar}|${topicName}`
      let open = made.get(key)
      if (open === undefined) {
        open = openJson(adaptMessage(event, audience, client, topicName))
        made.set(key, open)
      }
      return open
    },
  }
}

function adaptMessage(
  event: EventOf<'message'>,
  audience: Audience,
  client: ClientOptions,
  topicName: string | null,
): EventOf<'message'> {
  const message = { ...event.message }
  if (!client.applyMarkdown && audience.rawContent !== undefined) {
    message.content = audience.rawContent
    message.content_type = 'text/x-markdown'
  }
  if (client.extAvatar && audience.externalAvatar) message.avatar_url = null
  if (topicName !== null) message.subject = topicName
  return { ...event, message }
}

function openJson(event: ParleyEvent): string {
  // A message's flags differ from reader to reader; the queue adds them.
  const shared = event.type === 'message' ? { ...event, flags: undefined } : event
  return JSON.stringify(shared).slice(0, -1)
}
