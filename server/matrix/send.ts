import type { Body, Person } from '../test/boot.ts'
import type { Request } from './operations.ts'

/** Sends a request to an operation such as `POST /drafts`, each parameter where it belongs. */
export function sendRequest(
  who: Person,
  operation: string,
  request: Request,
): Promise<{ status: number; body: Body }> {
  const { path, file, rest } = addressOf(operation, request)
  const [method = ''] = operation.split(' ')
  return file ? who.send(method, path, file, rest) : who.request(method, path, rest)
}

/** The path of a request with its parameters filled in, and what travels beside it. */
export function addressOf(operation: string, { file, ...params }: Request) {
  const rest = { ...params }
  const [, template = ''] = operation.split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    // A file's name is the rest of a path, with its slashes.
    const parts = name === 'filename' ? value.split('/') : [value]
    // Half a character has no encoding; a client would send the sign for what is lost.
    return parts.map((part) => encodeURIComponent(Buffer.from(part).toString())).join('/')
  })
  return { path, file, rest }
}
