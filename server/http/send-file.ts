/** Replies that are files: whole or in ranges, and so that nothing in them can act in the name of this server. */
import type { Response } from 'express'

export interface FileReply {
  /** Where it is. */
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
export function sendFileReply(res: Response, reply: FileReply): Promise<void> {
  const { file, name, contentType, cacheSeconds, isPublic = false } = reply
  res.attachment(name)
  if (isSafeToShow(contentType)) {
    res.set('Content-Disposition', String(res.get('Content-Disposition')).replace(/^attachment/, 'inline'))
  }
  const isText = contentType.startsWith('text/')
  res.set({
    'Content-Type': isText ? `${contentType}; charset=utf-8` : contentType,
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
      if (error && !res.headersSent && !res.destroyed) reject(error)
      else resolve()
    })
  })
}
