// The kinds of channels: who finds, joins and reads one.

import type { Channel, RealmState } from '../../live.ts'

export const privacies = ['public', 'shared', 'protected', 'web-public'] as const
export type PrivacyKind = (typeof privacies)[number]

export const privacyWords: Record<PrivacyKind, { label: string; sentence: string }> = {
  public: { label: 'Public', sentence: 'Every member finds it, may join, and reads all of it.' },
  shared: {
    label: 'Private, shared history',
    sentence: 'Only those who were added see it; newcomers also read what was written before.',
  },
  protected: {
    label: 'Private, protected history',
    sentence: 'Only those who were added see it; newcomers read what is written after they came.',
  },
  'web-public': {
    label: 'Web-public',
    sentence: 'Anyone on the internet reads it, without an account.',
  },
}

type Flags = Pick<Channel, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>

export function privacyKindOf(channel: Flags): PrivacyKind {
  if (channel.is_web_public) return 'web-public'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'shared' : 'protected'
}

export const isPrivate = (kind: PrivacyKind): boolean => kind === 'shared' || kind === 'protected'

export const flagsOf = (kind: PrivacyKind): Flags => ({
  invite_only: isPrivate(kind),
  is_web_public: kind === 'web-public',
  history_public_to_subscribers: kind !== 'protected',
})

/** Why there can be no web-public channel here; null where there can. */
export function webPublicProblem({ settings }: RealmState): string | null {
  if (!settings.server_web_public_streams_enabled) return 'The server has web-public channels switched off.'
  return settings.realm_enable_spectator_access
    ? null
    : 'Switch on “Web-public channels” in the settings of this realm first.'
}
