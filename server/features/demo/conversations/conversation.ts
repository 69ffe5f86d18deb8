/** How conversations are written down. */
import type { ChannelName, Person } from '../office.ts'

/** Who did what to a message, names separated by spaces: `{ '👍': 'amara priya', starred: 'kwame' }`. */
export type Marks = Record<string, string>

/** Minutes since the conversation began, then who says what. */
export type Line = [minutes: number, author: Person, text: string, marks?: Marks]

/** When it begins: on an earlier working day (1 is the last one before today), or minutes before now. */
export type Start = { day: number; at: string } | { ago: number }

export type TopicConversation = Start & { topic: string; lines: Line[] }
export type DirectConversation = Start & { with: Person[]; lines: Line[] }
export type Joining = Start & { joins: Person }

export type ChannelHistory = { channel: ChannelName; history: (TopicConversation | Joining)[] }

/** A text of several lines. */
export const text = (...lines: string[]): string => lines.join('\n')
