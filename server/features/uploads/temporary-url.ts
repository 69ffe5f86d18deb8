/** Addresses that let anybody have one file for a minute. */
import { createHmac } from 'node:crypto'
import type { RealmContext, Server } from '../../context.ts'
import { NotFoundError } from '../../http/errors.ts'
import { sameSecret } from '../../services/passwords.ts'
import type { Attachment } from './present.ts'
import { attachmentByPath } from './store.ts'

const SECONDS = 60

/** Below the server's address. */
export function temporaryUrl(server: Server, { path_id }: Attachment): string {
  const until = Math.floor(server.now() / 1000) + SECONDS
  return `/user_uploads/temporary/${until}-${signature(server, until, path_id)}/${path_id}`
}

/** @param ticket such as `1700000000-abc…` @throws NotFoundError when it is over, or was never given out */
export function uploadByTicket(ctx: RealmContext, ticket: string, pathId: string): Attachment {
  const [until = '', given = ''] = ticket.split(/-(.*)/s)
  const isRight = sameSecret(given, signature(ctx.server, Number(until), pathId))
  const attachment =
    isRight && Number(until) * 1000 > ctx.server.now() ? attachmentByPath(ctx.db, pathId) : undefined
  if (!attachment) throw new NotFoundError('This link has expired')
  return attachment
}

const signature = (server: Server, until: number, pathId: string): string =>
  createHmac('sha256', server.uploadKey).update(`${until} ${pathId}`).digest('base64url')
