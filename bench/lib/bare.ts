/** What the servers of bare Node have in common. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers the address. */
export function listen(handle: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 65_000 }, handle)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

export function readBody(req: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => done(Buffer.concat(chunks)))
}

export function sendJson(res: ServerResponse, body: string | Buffer): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
}
