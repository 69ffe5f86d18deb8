/** Replies that are files: whole or in ranges, and so that nothing in them can act in the name of this server. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Request, Response } from 'express'
import { NotFoundError, PreconditionFailedError, RangeNotSatisfiableError } from './errors.ts'

export interface FileReply {
  /** Where it is. A file of that name never changes. */
  file: string
  /** What it is to be saved as. */
  name: string
  contentType: string
  /** How long a client may keep it without asking, in seconds. */
  cacheSeconds: number
  /** Others than the one who asked may be given it from a cache. */
  isPublic?: boolean
}

/** Kinds that a browser may show by itself. SVG and HTML carry scripts. */
export const isSafeToShow = (contentType: string): boolean =>
  /^(image\/(?!svg)|audio\/|video\/|application\/pdf$)/.test(contentType)

/** Ends when the file is sent, or when the client has enough of it. */
export async function sendFileReply(res: Response, reply: FileReply): Promise<void> {
  const { file, name, contentType, cacheSeconds, isPublic = false } = reply
  await forgetTooLongEnd(res.req, file)
  res.attachment(name)
  if (isSafeToShow(contentType)) {
    res.set('Content-Disposition', String(res.get('Content-Disposition')).replace(/^attachment/, 'inline'))
  }
  const isText = contentType.startsWith('text/')
  res.set({
    'Content-Type': isText ? `${contentType}; charset=utf-8` : contentType,
    ETag: `"${createHash('sha256').update(file).digest('base64url').slice(0, 24)}"`,
    'X-Content-Type-Options': 'nosniff',
    // A browser's reader of PDF is a plugin, which a sandbox would keep out.
    'Content-Security-Policy':
      contentType === 'application/pdf'
        ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
        : "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    // Packed on the way, ranges would not fit.
    'Cache-Control': `${isPublic ? 'public' : 'private'}, max-age=${cacheSeconds}, no-transform`,
    'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
  })
  return new Promise((resolve, reject) => {
    const options = { dotfiles: 'allow', cacheControl: false, acceptRanges: true } as const
    res.sendFile(file, options, (error: Error | undefined) => {
      if (error && !res.headersSent && !res.destroyed) reject(explain(error))
      else resolve()
    })
  })
}

/** The last hundred bytes of ten are all ten (RFC 9110, 14.1.2), which Express takes for none. */
async function forgetTooLongEnd({ headers }: Request, file: string): Promise<void> {
  const length = /^bytes=-(\d+)$/.exec(headers.range ?? '')?.[1]
  if (length === undefined) return
  const size = (await stat(file).catch(() => null))?.size ?? 0
  if (size > 0 && Number(length) > size) delete headers.range
}

function explain(error: Error): Error {
  const { status, headers } = error as { status?: number; headers?: Record<string, string> }
  if (status === 416) return new RangeNotSatisfiableError(headers?.['Content-Range'] ?? 'bytes */*')
  if (status === 412) return new PreconditionFailedError()
  // The message would tell where it should have been.
  return status === 404 ? new NotFoundError('This file is missing on the server') : error
}
