// How a writer under kill -9 talks to the server: over one connection, one request after the other.
import { Agent, request } from 'node:http'

export type Reply = Record<string, unknown>

export interface Credentials {
  user_id: number
  email: string
  api_key: string
}

/** The server died before it had answered. */
export class CutOffError extends Error {}
/** The server did not do it, as the request stood. */
export class RefusedError extends Error {}

export class Caller {
  /** Where the API is, from start to start. */
  api = ''
  readonly #authorization: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor({ email, api_key }: Credentials) {
    this.#authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  }

  /** @throws CutOffError, RefusedError */
  call(method: string, path: string, params: Record<string, string> = {}): Promise<Reply> {
    return this.#request(method, path, new Response(method === 'GET' ? null : new URLSearchParams(params)))
  }

  /** Sends a form that may hold a file. @throws CutOffError, RefusedError */
  send(method: string, path: string, form: FormData): Promise<Reply> {
    return this.#request(method, path, new Response(form))
  }

  /** @param body makes of a form what travels */
  async #request(method: string, path: string, body: Response): Promise<Reply> {
    const type = body.headers.get('content-type')
    const bytes = Buffer.from(await body.arrayBuffer())
    const headers = {
      authorization: this.#authorization,
      'content-length': bytes.length,
      ...(type === null ? {} : { 'content-type': type }),
    }
    return new Promise((resolve, reject) => {
      const cut = (error: Error) => reject(new CutOffError(error.message))
      const url = `${this.api}${path}`
      const outgoing = request(url, { method, headers, agent: this.#agent }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('error', cut)
        response.on('end', () => {
          if (response.statusCode === 200) return resolve(JSON.parse(text) as Reply)
          const isRefusal = (response.statusCode ?? 500) < 500
          reject(new (isRefusal ? RefusedError : Error)(`${method} ${path}: ${text}`))
        })
      })
      outgoing.on('error', cut)
      outgoing.end(bytes)
    })
  }
}

/** Null where the server says that it cannot be done, or no more. */
export const unlessRefused = (reply: Promise<Reply>): Promise<Reply | null> =>
  reply.catch((error: unknown) => {
    if (error instanceof RefusedError) return null
    throw error
  })
