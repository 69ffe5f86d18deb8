/** The events the server can send, joined from the features that send them. */
import { z } from 'zod'
import { botEvents } from '../features/bots/events.ts'
import { callEvents } from '../features/calls/events.ts'
import { channelEvents } from '../features/channels/events.ts'
import type { Inherited } from '../features/channels/present.ts'
import { defaultChannelGroupEvents } from '../features/default-channel-groups/events.ts'
import { domainEvents } from '../features/domains/events.ts'
import { draftEvents } from '../features/drafts/events.ts'
import { emojiEvents } from '../features/emoji/events.ts'
import { exportEvents } from '../features/exports/events.ts'
import { invitationEvents } from '../features/invitations/events.ts'
import { messageEvents } from '../features/messages/events.ts'
import { onboardingEvents } from '../features/onboarding/events.ts'
import { scheduledMessageEvents } from '../features/scheduled-messages/events.ts'
import { mutedUserEvents } from '../features/muted-users/events.ts'
import { presenceEvents } from '../features/presence/events.ts'
import { reactionEvents } from '../features/reactions/events.ts'
import { userStatusEvents } from '../features/user-status/events.ts'
import { savedSnippetEvents } from '../features/saved-snippets/events.ts'
import { profileFieldEvents } from '../features/profile-fields/events.ts'
import { alertWordEvents } from '../features/alert-words/events.ts'
import { linkifierEvents } from '../features/linkifiers/events.ts'
import { playgroundEvents } from '../features/playgrounds/events.ts'
import { serverEvents } from '../features/server/events.ts'
import { uploadEvents } from '../features/uploads/events.ts'
import { submessageEvents } from '../features/submessages/events.ts'
import { userTopicEvents } from '../features/user-topics/events.ts'
import { realmEvents } from '../features/realms/events.ts'
import { userGroupEvents } from '../features/user-groups/events.ts'
import { userSettingsEvents } from '../features/user-settings/events.ts'
import { userEvents } from '../features/users/events.ts'

const shapes = [
  ...messageEvents,
  ...alertWordEvents,
  ...linkifierEvents,
  ...playgroundEvents,
  ...submessageEvents,
  ...userEvents,
  ...channelEvents,
  ...realmEvents,
  ...domainEvents,
  ...defaultChannelGroupEvents,
  ...exportEvents,
  ...serverEvents,
  ...uploadEvents,
  ...emojiEvents,
  ...userTopicEvents,
  ...scheduledMessageEvents,
  ...reactionEvents,
  ...mutedUserEvents,
  ...userStatusEvents,
  ...presenceEvents,
  ...draftEvents,
  ...savedSnippetEvents,
  ...onboardingEvents,
  ...callEvents,
  ...userGroupEvents,
  ...userSettingsEvents,
  ...profileFieldEvents,
  ...botEvents,
  ...invitationEvents,
] as const

/** Every event but the heartbeat, which is the queue's own. Without `id`: the queue numbers what it holds. */
export const AnyEvent = z.union(shapes)
export type ParleyEvent = z.infer<typeof AnyEvent>
export type EventOf<Type extends ParleyEvent['type']> = Extract<ParleyEvent, { type: Type }>

/** Who gets an event. It is an argument of its own so that it cannot be forgotten. */
export interface Audience {
  /** Users by id: every queue of theirs that asked for the type. */
  to: readonly number[]
  /** What the event says differently to each of them, such as their own flags. */
  personal?: (userId: number) => Record<string, unknown>
  /**
   * A message of a public channel also goes to queues registered for all public channels, of those whom this lets:
   * somebody may have become a guest since.
   */
  publicTo?: (userId: number) => boolean
  /** The queue that sent the message, and the id its client gave it, for local echo. */
  echo?: { queueId: string; localId: string }
  /** What a new subscription inherits, for clients that do not know `notification_settings_null`. */
  inherited?: Inherited
  /** Only clients that declared these capabilities to be so. */
  only?: Readonly<Record<string, boolean>>
  /** Raw content of a message, for clients that render Markdown themselves. */
  rawContent?: string
  /** Clients that do not know deactivated groups hear nothing of this group any more. */
  ofDeactivatedGroup?: boolean
  /** Whether the sender's avatar may be left to clients that compute external avatars. */
  externalAvatar?: boolean
}

export const eventTypes: ReadonlySet<string> = new Set(shapes.map((shape) => shape.shape.type.value))
