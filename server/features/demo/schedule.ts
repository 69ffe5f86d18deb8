/** Everything that was ever said in the demo office, in the order in which it was said. */
import { announcements } from './conversations/announcements.ts'
import type { Marks, Start } from './conversations/conversation.ts'
import { design } from './conversations/design.ts'
import { direct } from './conversations/direct.ts'
import { engineering } from './conversations/engineering.ts'
import { general } from './conversations/general.ts'
import { lounge } from './conversations/lounge.ts'
import type { ChannelName, Person } from './office.ts'

export type Target = { channel: ChannelName; topic: string } | { with: Person[] }

export interface PlannedMessage {
  /** UNIX seconds. */
  timestamp: number
  target: Target
  author: Person
  text: string
  marks: Marks
}

export interface PlannedJoining {
  timestamp: number
  channel: ChannelName
  joins: Person
}

/**
 * The order is the same whatever the time is: earlier working days, each in its order, then what is so many
 * minutes old. The latter is less than six hours and the former ends at six in the evening, so they never mix.
 * @param now milliseconds
 */
export function schedule(now: number): (PlannedMessage | PlannedJoining)[] {
  const inChannels = [general, announcements, engineering, design, lounge].flatMap(({ channel, history }) =>
    history.flatMap((entry): (PlannedMessage | PlannedJoining)[] =>
      'joins' in entry
        ? [{ timestamp: timeOf(entry, now), channel, joins: entry.joins }]
        : linesOf(entry, { channel, topic: entry.topic }, now),
    ),
  )
  const directly = direct.flatMap((entry) => linesOf(entry, { with: entry.with }, now))
  return [...inChannels, ...directly].sort((a, b) => a.timestamp - b.timestamp)
}

function linesOf(
  entry: Start & { lines: [number, Person, string, Marks?][] },
  target: Target,
  now: number,
): PlannedMessage[] {
  const begin = timeOf(entry, now)
  return entry.lines.map(([minutes, author, text, marks = {}]) => ({
    timestamp: begin + minutes * 60,
    target,
    author,
    text,
    marks,
  }))
}

/** By this machine's clock: whoever looks at the demo shares its office hours. */
function timeOf(start: Start, now: number): number {
  if ('ago' in start) return Math.floor(now / 1000) - start.ago * 60
  const date = new Date(now)
  for (let back = 0; back < start.day; ) {
    date.setDate(date.getDate() - 1)
    if (date.getDay() % 6 !== 0) back += 1
  }
  const [hours = 0, minutes = 0] = start.at.split(':').map(Number)
  return date.setHours(hours, minutes, 0, 0) / 1000
}
