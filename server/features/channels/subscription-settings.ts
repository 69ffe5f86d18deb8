/** A user's own settings for a channel, and their events. */
import { z } from 'zod'
import { bit } from '../../db/tables.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { subscriptionOf, updateSubscription } from './store.ts'

export const Color = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'color is not a valid hex color code')

const switches = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const
type Switch = (typeof switches)[number]

const isSwitch = (property: string): property is Switch => (switches as readonly string[]).includes(property)

/**
 * Changes one setting of a subscription and tells the user's clients.
 * @throws BadRequestError when the user is not subscribed, or there is no such setting or value
 */
export function changeSubscription(
  tx: Tx,
  userId: number,
  channelId: number,
  property: string,
  value: boolean | string,
): void {
  const row = subscriptionOf(tx, userId, channelId)
  if (!row?.is_active) throw new BadRequestError(`Not subscribed to channel ID ${channelId}`)
  const tell = (named: string, told: boolean | string) =>
    tx.emit(
      { type: 'subscription', op: 'update', stream_id: channelId, property: named, value: told },
      { to: [userId] },
    )
  if (property === 'color') {
    const { data: color, error } = Color.safeParse(value)
    if (error) throw new BadRequestError(error.issues[0]?.message ?? 'color is not valid')
    if (color === row.color) return
    updateSubscription(tx, userId, channelId, { color })
    return tell('color', color)
  }
  // The old name of muting says the opposite.
  const [name, on] =
    property === 'in_home_view'
      ? (['is_muted', typeof value === 'boolean' ? !value : value] as const)
      : ([property, value] as const)
  if (!isSwitch(name)) throw new BadRequestError(`Unknown subscription property: ${property}`)
  if (typeof on !== 'boolean') throw new BadRequestError(`${property} is not a boolean`)
  if (row[name] === bit(on)) return
  updateSubscription(tx, userId, channelId, { [name]: bit(on) })
  tell(name, on)
  if (name === 'is_muted') tell('in_home_view', !on)
}
