/** Reads multipart bodies: text fields, and the one file of a route that takes one, streamed to disk. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request, Response } from 'express'
import multer, { MulterError } from 'multer'
import type { Config } from '../config.ts'
import type { Server } from '../context.ts'
import { errorCode } from '../db/file-calls.ts'
import { roomIn } from '../features/backups/write-archive.ts'
import type { Route } from './define-route.ts'
import { BadRequestError, StorageUnavailableApiError } from './errors.ts'
import { UploadedFile } from './uploaded-file.ts'

/** The largest text field, in bytes. */
const FIELD_LIMIT = 4 * 1024 * 1024
export const MIB = 1024 * 1024

/** A file on its way in. Forgetting it removes what the route has not moved away. */
export interface Incoming {
  /** The name of the parameter it stands for. */
  name: string
  file: UploadedFile
}

/**
 * Reads the body into `req.body`, and its file to disk.
 * @param work is run while the file is there
 * @throws BadRequestError for a body that is malformed, too large, or brings a file that is not wanted
 */
export async function withMultipart<T>(
  server: Server,
  route: Route,
  req: Request,
  res: Response,
  work: (incoming: Incoming | null) => Promise<T>,
): Promise<T> {
  if (!req.is('multipart/form-data')) return work(null)
  const [name, param] = Object.entries(route.params).find(([, { travels }]) => travels === 'file') ?? []
  if (name === undefined || !param?.maxBytes) {
    await parse(multer({ ...charset, limits: { ...limits, files: 0 } }).none(), req, res, null)
    return work(null)
  }
  const maxBytes = param.maxBytes(server.config)
  const folder = incomingFolder(server)
  await prepareFolder(folder, Number(req.headers['content-length'] ?? 0))
  const draft = `${randomBytes(12).toString('hex')}.partial`
  const storage = multer.diskStorage({
    // @ts-expect-error a newer option than the types know: on disk before it is named in the database
    flush: true,
    destination: folder,
    filename: (_req, _file, done) => done(null, draft),
  })
  try {
    const upload = multer({ ...charset, storage, limits: { ...limits, files: 1, fileSize: maxBytes } })
    await parse(upload.any(), req, res, maxBytes)
    const [file] = (req.files ?? []) as Express.Multer.File[]
    if (!file) return await work(null)
    const { path, originalname, size, mimetype } = file
    return await work({ name, file: new UploadedFile(path, originalname, size, mimetype) })
  } finally {
    await rm(join(folder, draft), { force: true })
  }
}

/** Where files wait to be given their names: in the folder of uploads, so that a rename is all it takes. */
export const incomingFolder = (server: Server): string => join(server.folder.uploads, 'incoming')

const charset = { defParamCharset: 'utf8' } as const
const limits = { fieldSize: FIELD_LIMIT, fields: 1000 } as const

async function prepareFolder(folder: string, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw explain(error, null)
  })
  // A full disk would stop all writing; this one need not fill it.
  if (bytes > (await roomIn(folder))) {
    throw new StorageUnavailableApiError('There is not enough room on the disk of the server.')
  }
}

function parse(
  reader: ReturnType<ReturnType<typeof multer>['any']>,
  req: Request,
  res: Response,
  maxBytes: number | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void reader(req, res, (error: unknown) => (error ? reject(explain(error, maxBytes)) : resolve()))
  })
}

function explain(error: unknown, maxBytes: number | null): unknown {
  if (error instanceof StorageUnavailableApiError) return error
  if (error instanceof MulterError) {
    if (error.code === 'LIMIT_FILE_SIZE' && maxBytes !== null) return tooLarge(maxBytes)
    if (error.code === 'LIMIT_FILE_COUNT' && maxBytes !== null) {
      return new BadRequestError('You may only upload one file at a time')
    }
  }
  if (error instanceof Error && 'syscall' in error && errorCode(error) !== 'ECONNRESET') {
    return new StorageUnavailableApiError('Files cannot be saved at the moment. Please try again later.')
  }
  // Whatever else it trips over is the client's doing.
  return new BadRequestError(
    `Invalid multipart body: ${error instanceof Error ? error.message : 'malformed'}`,
  )
}

export const tooLarge = (maxBytes: number): BadRequestError =>
  new BadRequestError(`Uploaded file is larger than the allowed limit of ${Math.floor(maxBytes / MIB)} MiB`)

/** `maxBytes` of a file parameter whose limit is a setting in MiB. */
export const mebibytes =
  (setting: keyof { [K in keyof Config as Config[K] extends number ? K : never]: true }) =>
  (config: Config): number =>
    config[setting] * MIB
