// One line that tells what an event was about. What people wrote is never part of an entry.

type Fields = Record<string, unknown>

const person = (value: unknown): string | undefined => {
  const fields = asFields(value)
  const name = fields?.full_name ?? fields?.email
  if (typeof name === 'string') return name
  return typeof fields?.user_id === 'number' ? `user ${fields.user_id}` : undefined
}

export function summarizeEvent(given: unknown): string {
  const event = asFields(given) ?? {}
  const known = summaries[String(event.type)]?.(event)
  return known || leftovers(event)
}

const summaries: Record<string, (event: Fields) => string | undefined> = {
  message: ({ message }) => {
    const fields = asFields(message)
    if (!fields) return undefined
    const from = text(fields.sender_full_name) ?? text(fields.sender_email) ?? 'somebody'
    if (fields.type === 'private' || Array.isArray(fields.display_recipient))
      return `${from} in a direct message`
    const where = text(fields.display_recipient) ?? `channel ${String(fields.stream_id)}`
    return `${from} in #${where}${fields.subject ? ` › ${String(fields.subject)}` : ''}`
  },
  realm_user: ({ person: who }) => {
    const fields = asFields(who)
    if (!fields) return undefined
    const changed = Object.keys(fields).filter((name) => name !== 'user_id' && name !== 'full_name')
    return `${person(who)}${changed.length > 0 && changed.length <= 3 ? `: ${pairs(fields, changed)}` : ''}`
  },
  stream: (event) => {
    const names = list(event.streams).map((stream) => text(asFields(stream)?.name))
    if (names.some(Boolean)) return names.map((name) => `#${name}`).join(', ')
    return event.name ? `#${String(event.name)}: ${pairs(event, ['property', 'value'])}` : undefined
  },
  subscription: (event) => {
    const names = list(event.subscriptions).map((channel) => text(asFields(channel)?.name))
    if (names.some(Boolean)) return names.map((name) => `#${name}`).join(', ')
    return undefined
  },
  reaction: ({ emoji_name, message_id }) => `:${String(emoji_name)}: on message ${String(message_id)}`,
  typing: ({ sender, topic }) => {
    const who = person(sender)
    return who && `${who}${topic ? ` in ${String(topic)}` : ''}`
  },
  heartbeat: () => 'still there',
}

function leftovers(event: Fields): string {
  const { type: _type, op: _op, id: _id, ...rest } = event
  return pairs(rest, Object.keys(rest).slice(0, 4))
}

function pairs(fields: Fields, names: string[]): string {
  return names.map((name) => `${name} ${short(fields[name])}`).join(', ')
}

function short(value: unknown): string {
  if (Array.isArray(value))
    return value.length <= 3 && value.every(isScalar) ? `[${value.join(', ')}]` : `[${value.length}]`
  if (isScalar(value)) {
    const shown = String(value)
    return shown.length > 40 ? `${shown.slice(0, 39)}…` : shown
  }
  return '{…}'
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
