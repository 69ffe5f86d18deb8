/** What one rendering is given and what it finds out: the `env` that markdown-it hands to every rule. */
import type { Emoji } from '../emoji-data.ts'
import type { LinkifierSet } from './linkifiers.ts'

export interface MentionedUser {
  id: number
  full_name: string
  is_active: 0 | 1
}

/** The names of the organization, as far as the content's writer may know them. */
export interface Lookups {
  /** @param id as in `@**name|id**`; the name may then be empty */
  user: (name: string, id: number | undefined) => MentionedUser | undefined
  group: (name: string) => { id: number; name: string } | undefined
  channel: (name: string) => { id: number; name: string } | undefined
  /** @param name without its colons; `url` is that of the picture, where it is one */
  emoji: (name: string) => (Emoji & { url?: string }) | undefined
  /** Whether the writer wants `:)` and its like to become emoji. */
  emoticons: boolean
  linkifiers: LinkifierSet | undefined
  /** Whether pictures of this server are shown below what links to them. */
  previews: boolean
  /** @returns what kind of picture an upload is, and the name of the small form to show; undefined for no picture */
  picture: (pathId: string) => { contentType: string; small: string } | undefined
  /** Language of code that names none. */
  codeLanguage: string
  /** Addresses of this server, without a slash at the end: what is below them is its own. */
  origins: readonly string[]
}

export type Wildcard = 'channel' | 'topic'

/** What the content holds that others need to know. Only what is not silent counts as a mention. */
export interface Findings {
  html: string
  userIds: Set<number>
  groupIds: Set<number>
  wildcards: Set<Wildcard>
  hasLink: boolean
  hasImage: boolean
  /** `path_id` of every upload that is linked to. */
  uploadPathIds: Set<string>
}

export interface Rendering extends Findings {
  lookups: Lookups
  /** Mentions in what is quoted reach nobody. */
  isQuoted: boolean
  /** Characters of formulas and of code that may still be set: both can take long and grow a hundredfold. */
  mathLeft: number
  codeLeft: number
  linkifyLeft: number
  previewsLeft: number
  [key: string | symbol]: unknown
}

export const startRendering = (lookups: Lookups): Rendering => ({
  lookups,
  html: '',
  userIds: new Set(),
  groupIds: new Set(),
  wildcards: new Set(),
  hasLink: false,
  hasImage: false,
  uploadPathIds: new Set(),
  isQuoted: false,
  mathLeft: 800,
  codeLeft: 4000,
  linkifyLeft: 200_000,
  previewsLeft: 24,
})

/** The rendering that a rule's state belongs to. */
export const renderingOf = (state: { env?: unknown }): Rendering => state.env as Rendering

/** Knows nothing: for descriptions, which have no writer. */
export const noLookups: Lookups = {
  user: () => undefined,
  group: () => undefined,
  channel: () => undefined,
  emoji: () => undefined,
  emoticons: false,
  linkifiers: undefined,
  previews: false,
  picture: () => undefined,
  codeLanguage: '',
  origins: [],
}
