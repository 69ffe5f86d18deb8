/**
 * One keep-alive HTTP connection, one request at a time. node:http's own client costs as much as a bare server, and
 * then its ceiling would be measured.
 */
import { connect, type Socket } from 'node:net'

export interface Credentials {
  email: string
  api_key: string
}

/** A request as the bytes that are sent. */
export function formatRequest(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  { as, form }: { as?: Credentials; form?: Record<string, string> } = {},
): string {
  const { host } = new URL(url)
  const body = form ? new URLSearchParams(form).toString() : ''
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    // As what most people use: their messages count as read by themselves.
    'User-Agent: Mozilla/5.0 (bench)',
    ...(as ? [`Authorization: Basic ${Buffer.from(`${as.email}:${as.api_key}`).toString('base64')}`] : []),
    ...(form
      ? ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`]
      : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

export class Connection {
  readonly #socket: Socket
  #waiting: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | null = null
  #received: Buffer[] = []
  /** Bytes of the reply that are not here yet; null before its headers are. */
  #missing: number | null = null
  #bodyStart = 0
  #status = 0
  #broken: Error | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server closed the connection')))
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** Each has had an answer: where many knock at once, the server may take a second to let some in. */
  static openMany(url: string, count: number): Promise<Connection[]> {
    const request = formatRequest(url, 'GET', '/api/v1/server_settings')
    const open = async () => {
      const connection = await Connection.open(url)
      await connection.request(request)
      return connection
    }
    return Promise.all(Array.from({ length: count }, open))
  }

  /** Sends a formatted request. Answers the body; a reply other than 200 is an error. */
  request(formatted: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken)
      this.#waiting = { resolve, reject }
      this.#socket.write(formatted)
    })
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes)
    if (this.#missing === null) this.#readHead()
    else this.#missing -= bytes.length
    if (this.#missing === 0) this.#finish()
  }

  #readHead(): void {
    const whole = this.#joined()
    const end = whole.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = whole.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) return this.#fail(new Error(`A reply without Content-Length:\n${head}`))
    this.#status = Number(head.slice(9, 12))
    this.#bodyStart = end + 4
    this.#missing = this.#bodyStart + Number(length) - whole.length
  }

  #finish(): void {
    const body = this.#joined().subarray(this.#bodyStart)
    this.#received = []
    this.#missing = null
    const waiting = this.#waiting
    this.#waiting = null
    if (this.#status === 200) waiting?.resolve(body)
    else waiting?.reject(new Error(`Status ${this.#status}: ${body.toString()}`))
  }

  #joined(): Buffer {
    const [first, ...more] = this.#received
    if (!first || more.length > 0) this.#received = [Buffer.concat(this.#received)]
    return this.#received[0] as Buffer
  }

  #fail(error: Error): void {
    this.#broken = error
    this.#waiting?.reject(error)
    this.#waiting = null
  }
}
