/** `@**user**`, `@*group*`, `@**all**`, `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`. */
import type { MarkdownIt } from 'markdown-it'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../features/realms/settings.ts'
import { escapeHtml } from './escape.ts'
import { type Rendering, renderingOf, type Wildcard } from './rendering.ts'

// Every name has a limit, so that an asterisk without its counterpart costs little.
const user = /@(_?)\*\*([^*\n]{1,150})\*\*/y
const group = /@(_?)\*([^*\n]{1,150})\*/y
const channel = /#\*\*([^\n>]{1,130}?)(?:>([^\n]{0,130}?)(?:@(\d{1,15}))?)?\*\*/y

const wildcards = new Map<string, Wildcard>([
  ['all', 'channel'],
  ['everyone', 'channel'],
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['topic', 'topic'],
])

/** The names that content may refer to, to be looked up all at once. Some of them stand where they mean nothing. */
export function namesIn(content: string): {
  users: { name: string; id: number | undefined }[]
  groups: string[]
  channels: string[]
  emoji: string[]
} {
  const all = (pattern: RegExp, group: number) =>
    content.includes(pattern.source[0] ?? '')
      ? [...content.matchAll(new RegExp(pattern.source, 'g'))].map((match) => match[group] ?? '')
      : []
  return {
    users: all(user, 2).map(parseUser),
    groups: all(group, 2),
    channels: all(channel, 1),
    emoji: all(/:(?=([-+\w]{1,60}):)/, 1),
  }
}

function parseUser(named: string): { name: string; id: number | undefined } {
  const [, name = named, id] = /^(.*)\|(\d{1,15})$/.exec(named) ?? []
  return { name, id: id === undefined ? undefined : Number(id) }
}

export function addMentions(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'mention', (state, silent) => {
    const sign = state.src.charCodeAt(state.pos)
    if (sign !== 0x40 && sign !== 0x23) return false
    const rendering = renderingOf(state)
    for (const [pattern, toHtml] of sign === 0x40 ? atSign : hashSign) {
      pattern.lastIndex = state.pos
      const match = pattern.exec(state.src)
      const html = match && toHtml(match, rendering, silent)
      if (!match || html === undefined || html === null) continue
      if (!silent) state.push('own_html', '', 0).content = html
      state.pos += match[0].length
      return true
    }
    return false
  })
}

type ToHtml = (match: RegExpExecArray, rendering: Rendering, peeking: boolean) => string | undefined

const atSign: readonly [RegExp, ToHtml][] = [
  [user, userHtml],
  [group, groupHtml],
]
const hashSign: readonly [RegExp, ToHtml][] = [[channel, channelHtml]]

function userHtml(match: RegExpExecArray, rendering: Rendering, peeking: boolean): string | undefined {
  const [, underscore, named = ''] = match
  const isSilent = underscore !== '' || rendering.isQuoted
  const wildcard = wildcards.get(named)
  if (wildcard) {
    if (!isSilent && !peeking) rendering.wildcards.add(wildcard)
    const text = isSilent ? named : `@${named}`
    return wildcard === 'topic'
      ? `<span class="topic-mention${isSilent ? ' silent' : ''}">${text}</span>`
      : `<span class="user-mention channel-wildcard-mention${isSilent ? ' silent' : ''}" data-user-id="*">${text}</span>`
  }
  const { name, id } = parseUser(named)
  const found = rendering.lookups.user(name, id)
  if (!found) return undefined
  const reaches = !isSilent && found.is_active === 1
  if (reaches && !peeking) rendering.userIds.add(found.id)
  const text = escapeHtml(found.full_name)
  return reaches
    ? `<span class="user-mention" data-user-id="${found.id}">@${text}</span>`
    : `<span class="user-mention silent" data-user-id="${found.id}">${text}</span>`
}

function groupHtml(match: RegExpExecArray, rendering: Rendering, peeking: boolean): string | undefined {
  const [, underscore, name = ''] = match
  const found = rendering.lookups.group(name)
  if (!found) return undefined
  const isSilent = underscore !== '' || rendering.isQuoted
  if (!isSilent && !peeking) rendering.groupIds.add(found.id)
  const text = escapeHtml(found.name)
  return isSilent
    ? `<span class="user-group-mention silent" data-user-group-id="${found.id}">${text}</span>`
    : `<span class="user-group-mention" data-user-group-id="${found.id}">@${text}</span>`
}

function channelHtml(match: RegExpExecArray, rendering: Rendering): string | undefined {
  const [, name = '', topic, messageId] = match
  const found = rendering.lookups.channel(name)
  if (!found) return undefined
  const address = channelAddress(found)
  const channelText = `#${escapeHtml(found.name)}`
  if (topic === undefined)
    return `<a class="stream" data-stream-id="${found.id}" href="${address}">${channelText}</a>`
  const topicAddress = `${address}/topic/${inFragment(topic)}`
  const topicText = topic === '' ? `<em>${EMPTY_TOPIC_DISPLAY_NAME}</em>` : escapeHtml(topic)
  return messageId === undefined
    ? `<a class="stream-topic" data-stream-id="${found.id}" href="${topicAddress}">${channelText} &gt; ${topicText}</a>`
    : `<a class="message-link" href="${topicAddress}/near/${messageId}">${channelText} &gt; ${topicText} @ 💬</a>`
}

const channelAddress = ({ id, name }: { id: number; name: string }): string =>
  `/#narrow/channel/${id}-${inFragment(name.replaceAll(' ', '-'))}`

/** Markdown that refers to a topic, whatever its name is. */
export function topicReference(found: { id: number; name: string }, topic: string): string {
  const syntax = `#**${found.name}>${topic}**`
  channel.lastIndex = 0
  const [whole, name, inTopic, messageId] = channel.exec(syntax) ?? []
  if (whole === syntax && name === found.name && inTopic === topic && messageId === undefined) return syntax
  const text = `#${found.name} > ${topic}`.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  return `[${text}](${channelAddress(found)}/topic/${inFragment(topic)})`
}

/** Clients read these addresses with `.` for the percent sign. */
const inFragment = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[.!'()*~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
