/** Scheduled messages of the one who asks, and where such a message may go. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError, MissingParameterError, NotThereError } from '../../http/errors.ts'
import type { Target } from '../messages/content.ts'
import { channelToPostTo, usersToWriteTo } from '../messages/recipients.ts'
import { parseTopic } from '../messages/topics.ts'
import type { Me, User } from '../users/access.ts'
import { scheduledById, type ScheduledRow } from './store.ts'

export const MessageType = z.enum(['direct', 'channel', 'stream', 'private'])
export type MessageType = z.output<typeof MessageType>

export const To = z.union([z.int(), z.array(z.int()).min(1)])
export type To = z.output<typeof To>

export const isChannelType = (type: MessageType): boolean => type === 'channel' || type === 'stream'

/** @throws NotThereError when there is no such message of this user */
export function ownScheduled(db: Reader, me: Me, id: number): ScheduledRow {
  const row = scheduledById(db, id)
  if (row?.user_id !== me.id) throw new NotThereError('Scheduled message does not exist')
  return row
}

/**
 * Where a message is to go, if its sender may send it there.
 * @throws ChannelDoesNotExistError, BadRequestError
 */
export function targetFor(
  ctx: RealmContext,
  db: Reader,
  sender: User,
  where: { isChannel: boolean; to: To; topic: string | undefined },
): Target {
  if (!where.isChannel) return { users: usersToWriteTo(ctx, db, sender, where.to) }
  if (where.topic === undefined) throw new MissingParameterError('topic')
  return { channel: channelToPostTo(ctx, db, sender, where.to), topic: parseTopic(ctx.realm, where.topic) }
}

/** {@link targetFor} of what is stored. */
export const storedTarget = (ctx: RealmContext, db: Reader, sender: User, row: ScheduledRow): Target =>
  targetFor(ctx, db, sender, {
    isChannel: row.channel_id !== null,
    to: row.channel_id ?? (JSON.parse(row.user_ids ?? '[]') as number[]),
    topic: row.topic,
  })

/** @param timestamp UNIX seconds */
export function assertInFuture(ctx: RealmContext, timestamp: number): void {
  if (timestamp <= ctx.server.now() / 1000)
    throw new BadRequestError('Scheduled delivery time must be in the future.')
}
