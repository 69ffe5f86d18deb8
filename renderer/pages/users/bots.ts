// What bots there are, and who makes them.

import { holds } from '../../base/groups.ts'
import type { RealmState } from '../../live.ts'

export const OUTGOING = 3

export const botTypes = [
  { value: 1, label: 'Generic', description: 'A program that reads and writes like a person' },
  { value: 2, label: 'Incoming webhook', description: 'May only send messages' },
  {
    value: 3,
    label: 'Outgoing webhook',
    description: 'Its service is called when it is written to or mentioned',
  },
] as const

export function botTypeLabel(type: number | null): string {
  return botTypes.find(({ value }) => value === type)?.label ?? 'Bot'
}

export const mayCreateBots = ({ groups, snapshot, me }: RealmState): boolean =>
  holds(groups, snapshot.realm_can_create_bots_group, me)

export function addressProblem(value: string): string | null {
  const address = value.trim()
  if (!address) return 'Enter the address of its service.'
  return URL.canParse(address) && /^https?:\/\//i.test(address) ? null : 'Begin with https:// or http://'
}
