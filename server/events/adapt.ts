/** The forms an event takes for clients of different abilities. Actions send the newest form only. */
import { withInherited } from '../features/channels/present.ts'
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

/** One text for all the queues of a form: there are few forms, and many queues. */
const forms = new Map<string, string>()

/** Names what a client declared. Clients of the same form are sent the same. */
export function formOf({
  applyMarkdown,
  extAvatar,
  capabilities,
  emptyTopicDisplayName,
}: ClientOptions): string {
  const names = Object.keys(capabilities).filter((name) => capabilities[name])
  const form = JSON.stringify([applyMarkdown, extAvatar, names.sort(), emptyTopicDisplayName])
  if (!forms.has(form)) forms.set(form, form)
  return forms.get(form) ?? form
}

/**
 * Makes each form of an event at most once, however many queues it goes to.
 * @returns the event as JSON without its closing brace, so that the queue can add what is its own; an older client may
 *   need several for one, or get none
 */
export function createVariants(
  event: ParleyEvent,
  audience: Audience,
): (client: ClientOptions & { form: string }) => readonly string[] {
  const made = new Map<string, readonly string[]>()
  return (client) => {
    let variants = made.get(client.form)
    if (variants === undefined) {
      const isMeant = !audience.only || declared(client, audience.only)
      variants = isMeant ? adapt(event, audience, client).map(openJson) : []
      made.set(client.form, variants)
    }
    return variants
  }
}

const declared = ({ capabilities }: ClientOptions, wanted: Readonly<Record<string, boolean>>): boolean =>
  Object.entries(wanted).every(([name, value]) => (capabilities[name] ?? false) === value)

const knowsEmptyTopic = ({ capabilities }: ClientOptions): boolean =>
  capabilities['empty_topic_name'] === true

/** A topic as this client can show it (specification, "Empty topic rule"). */
const topicFor = (topic: string, client: ClientOptions): string =>
  topic === '' && !knowsEmptyTopic(client) ? client.emptyTopicDisplayName : topic

function adapt(event: ParleyEvent, audience: Audience, client: ClientOptions): ParleyEvent[] {
  switch (event.type) {
    case 'message':
      return [adaptMessage(event, audience, client)]
    case 'update_message_flags':
      return [event.op === 'remove' ? adaptFlags(event, client) : event]
    case 'update_message':
      return [adaptEdit(event, client)]
    case 'delete_message':
      return adaptDeletion(event, client)
    case 'typing':
      if (event.topic === undefined) return [event]
      if (!client.capabilities['stream_typing_notifications']) return []
      return [{ ...event, topic: topicFor(event.topic, client) }]
    case 'realm_linkifiers':
      return client.capabilities['linkifier_url_template'] ? [event] : []
    case 'user_group':
      return client.capabilities['include_deactivated_groups'] ? [event] : adaptGroup(event, audience)
    case 'subscription':
      return [client.capabilities['notification_settings_null'] ? event : adaptSubscription(event, audience)]
    case 'typing_edit_message': {
      const { topic } = event.recipient
      if (topic === undefined) return [event]
      return [{ ...event, recipient: { ...event.recipient, topic: topicFor(topic, client) } }]
    }
    case 'scheduled_messages':
      if (event.op === 'remove') return [event]
      return [
        event.op === 'add'
          ? { ...event, scheduled_messages: event.scheduled_messages.map((one) => withTopicFor(one, client)) }
          : { ...event, scheduled_message: withTopicFor(event.scheduled_message, client) },
      ]
    case 'drafts':
      if (event.op === 'add')
        return [{ ...event, drafts: event.drafts.map((one) => withTopicFor(one, client)) }]
      return [event.op === 'update' ? { ...event, draft: withTopicFor(event.draft, client) } : event]
    case 'user_topic':
      return [{ ...event, topic_name: topicFor(event.topic_name, client) }]
    case 'muted_topics':
      return [
        {
          ...event,
          muted_topics: event.muted_topics.map(([channel, topic, at]) => [
            channel,
            topicFor(topic, client),
            at,
          ]),
        },
      ]
    default:
      return [event]
  }
}

const withTopicFor = <One extends { type: string; topic?: string | undefined }>(
  one: One,
  client: ClientOptions,
): One =>
  one.type === 'stream' && one.topic !== undefined ? { ...one, topic: topicFor(one.topic, client) } : one

function adaptEdit(event: EventOf<'update_message'>, client: ClientOptions): EventOf<'update_message'> {
  const { subject, orig_subject } = event
  return {
    ...event,
    ...(subject === undefined ? {} : { subject: topicFor(subject, client) }),
    ...(orig_subject === undefined ? {} : { orig_subject: topicFor(orig_subject, client) }),
  }
}

function adaptDeletion(event: EventOf<'delete_message'>, client: ClientOptions): ParleyEvent[] {
  const { message_ids = [], topic, ...rest } = event
  const shared = { ...rest, ...(topic === undefined ? {} : { topic: topicFor(topic, client) }) }
  if (client.capabilities['bulk_message_deletion']) return [{ ...shared, message_ids }]
  return message_ids.map((message_id) => ({ ...shared, message_id }))
}

function adaptGroup(event: EventOf<'user_group'>, audience: Audience): ParleyEvent[] {
  if (audience.ofDeactivatedGroup) return []
  const ends = event.op === 'update' && event.data.deactivated === true
  return ends ? [{ type: 'user_group', op: 'remove', group_id: event.group_id }] : [event]
}

function adaptSubscription(event: EventOf<'subscription'>, { inherited }: Audience): EventOf<'subscription'> {
  if (event.op !== 'add' || !inherited) return event
  return { ...event, subscriptions: event.subscriptions.map((one) => withInherited(one, inherited)) }
}

function adaptMessage(
  event: EventOf<'message'>,
  audience: Audience,
  client: ClientOptions,
): EventOf<'message'> {
  const message = { ...event.message }
  if (!client.applyMarkdown && audience.rawContent !== undefined) {
    message.content = audience.rawContent
    message.content_type = 'text/x-markdown'
  }
  if (client.extAvatar && audience.externalAvatar) message.avatar_url = null
  if (message.type === 'stream') message.subject = topicFor(message.subject, client)
  return { ...event, message }
}

type FlagsRemoved = Extract<EventOf<'update_message_flags'>, { op: 'remove' }>

function adaptFlags(event: FlagsRemoved, client: ClientOptions): FlagsRemoved {
  if (!event.message_details) return event
  const details = Object.entries(event.message_details).map(([id, detail]) => [
    id,
    detail.topic === undefined ? detail : { ...detail, topic: topicFor(detail.topic, client) },
  ])
  return { ...event, message_details: Object.fromEntries(details) as typeof event.message_details }
}

function openJson(event: ParleyEvent): string {
  // A message's flags differ from reader to reader; the queue adds them.
  const shared = 'flags' in event ? { ...event, flags: undefined } : event
  return JSON.stringify(shared).slice(0, -1)
}
