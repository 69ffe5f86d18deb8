// A chat client as others write them: HTTP Basic, form parameters, one event queue.
export type ApiClient = {
  get(path: string, params?: Record<string, unknown>): Promise<Reply>
  post(path: string, params?: Record<string, unknown>): Promise<Reply>
  /** Opens an event queue; from then on `events` is what arrived since the last call. */
  register(types?: string[]): Promise<void>
  events(): Promise<ApiEvent[]>
}

export type ApiEvent = { id: number; type: string; [field: string]: unknown }
export type Reply = { result: string; msg: string; [field: string]: unknown }

export function createApiClient(baseUrl: string, email: string, apiKey: string, name: string): ApiClient {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
    'User-Agent': name,
  }
  let queue: string | undefined
  let lastEvent = -1

  async function call(method: string, path: string, params: Record<string, unknown> = {}): Promise<Reply> {
    const form = new URLSearchParams()
    for (const [key, value] of Object.entries(params)) {
      form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const url = `${baseUrl}/api/v1${path}`
    const response =
      method === 'GET'
        ? await fetch(`${url}?${form}`, { headers })
        : await fetch(url, { method, headers, body: form })
    const reply = (await response.json()) as Reply
    if (reply.result !== 'success') throw new Error(`${method} ${path}: ${reply.msg}`)
    return reply
  }

  return {
    get: (path, params) => call('GET', path, params),
    post: (path, params) => call('POST', path, params),
    async register(types) {
      const asked = { apply_markdown: true, ...(types && { event_types: types }) }
      const reply = await call('POST', '/register', asked)
      queue = reply.queue_id as string
      lastEvent = reply.last_event_id as number
    },
    async events() {
      const params = { queue_id: queue, last_event_id: lastEvent }
      const events = (await call('GET', '/events', params)).events as ApiEvent[]
      lastEvent = events.at(-1)?.id ?? lastEvent
      return events.filter(({ type }) => type !== 'heartbeat')
    },
  }
}
