// The one table of calls between the window and the app. Preload, main and the page's type of
// `window.desktop` all come from it: a new call is one row here and its handler in main.ts.
// zod/mini, because this file is also in the preload script, which runs before every page.
import * as z from 'zod/mini'

export const ServerStatus = z.object({
  state: z.enum(['starting', 'running', 'restarting', 'stopping', 'stopped', 'failed']),
  /** Where the server answers; only while it runs. */
  url: z.optional(z.string()),
  dataDir: z.optional(z.string()),
  pid: z.optional(z.int()),
  version: z.optional(z.string()),
  /** How often it died and was started again since the app was opened. */
  restarts: z.int(),
  /** Why it stopped or is being restarted, in words for the person in front of the window. */
  problem: z.optional(z.object({ title: z.string(), detail: z.string(), advice: z.optional(z.string()) })),
})
export type ServerStatus = z.infer<typeof ServerStatus>

export const calls = {
  getStatus: { args: z.tuple([]), result: ServerStatus },
  startServer: { args: z.tuple([]), result: z.void() },
  stopServer: { args: z.tuple([]), result: z.void() },
  openFolder: { args: z.tuple([z.enum(['data', 'logs'])]), result: z.void() },
  openInBrowser: { args: z.tuple([]), result: z.void() },
} as const

/** What the app tells the window without being asked. */
export const events = {
  status: ServerStatus,
} as const

type Calls = typeof calls
type Events = typeof events
export type CallName = keyof Calls
export type EventName = keyof Events

export type Handlers = {
  [Name in CallName]: (
    ...args: z.infer<Calls[Name]['args']>
  ) => z.infer<Calls[Name]['result']> | Promise<z.infer<Calls[Name]['result']>>
}

/** `window.desktop`; absent in a plain browser. */
export type Desktop = {
  [Name in CallName]: (...args: z.infer<Calls[Name]['args']>) => Promise<z.infer<Calls[Name]['result']>>
} & {
  /** Calls back at each event of that name; the returned function ends it. */
  on<Name extends EventName>(name: Name, listener: (value: z.infer<Events[Name]>) => void): () => void
}

export const channelOf = (name: CallName | EventName): string => `parley:${name}`

/** Runs one call with arguments that came from a page; what the table does not allow throws. */
export async function answerCall(handlers: Handlers, name: CallName, given: unknown[]): Promise<unknown> {
  const { args, result } = calls[name]
  const parsed = args.safeParse(given)
  if (!parsed.success) throw new TypeError(`${name}: bad arguments: ${z.prettifyError(parsed.error)}`)
  // The table ties each handler to its row, which a lookup by a union of names cannot express.
  const handler = handlers[name] as (...args: unknown[]) => unknown
  return result.parse(await handler(...parsed.data))
}
