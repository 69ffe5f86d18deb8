/** The names that a message refers to, looked up all at once: as far as its writer may know them. */
import type { RealmContext, RequestContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { findEmojis, extraEmojiAddress, realmEmojiAddress } from '../../services/emoji-data.ts'
import { namesIn } from '../../services/markdown/mentions.ts'
import type { Lookups, MentionedUser } from '../../services/markdown/rendering.ts'
import { ChannelAccess } from '../channels/access.ts'
import { channelByName } from '../channels/store.ts'
import { compiledLinkifiers } from '../linkifiers/store.ts'
import { groupByName } from '../user-groups/store.ts'
import { attachmentByPath } from '../uploads/store.ts'
import { isPicture, previewFormat } from '../uploads/thumbnails.ts'
import { settingsOf } from '../user-settings/settings.ts'
import type { User } from '../users/access.ts'
import { allUsers, systemBots } from '../users/store.ts'

export function lookupsFor(ctx: RealmContext, db: Reader, writer: User, content: string): Lookups {
  const names = namesIn(content)
  const { settings } = ctx.realm
  return {
    user: usersNamed(db, names.users),
    group: (name) => {
      const group = groupByName(db, name)
      return group && !group.deactivated ? group : undefined
    },
    channel: channelsNamed(ctx, db, writer, names.channels),
    emoji: emojiNamed(db, names.emoji),
    emoticons: settingsOf(writer).translate_emoticons,
    linkifiers: compiledLinkifiers(db),
    previews: settings.inline_image_preview,
    picture: (pathId) => {
      const file = attachmentByPath(db, pathId)
      return file && isPicture(file)
        ? { contentType: file.content_type, small: previewFormat(file) }
        : undefined
    },
    codeLanguage: settings.default_code_block_language,
    origins: originsOf(ctx),
  }
}

/** Only A to Z are the same as a to z: all other letters are told apart. */
const nameKey = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function usersNamed(db: Reader, named: { name: string; id: number | undefined }[]): Lookups['user'] {
  if (named.length === 0) return () => undefined
  const names = new Set(named.map(({ name }) => nameKey(name)))
  const ids = new Set(named.map(({ id }) => id))
  const users: MentionedUser[] = [...allUsers(db), ...systemBots(db)].filter(
    ({ id, full_name }) => names.has(nameKey(full_name)) || ids.has(id),
  )
  return (name, id) => {
    const called = users.filter((user) => nameKey(user.full_name) === nameKey(name))
    if (id !== undefined) return (name === '' ? users : called).find((user) => user.id === id)
    // Where two have the name, none is meant until the id says which.
    const active = called.filter((user) => user.is_active)
    const meant = active.length > 0 ? active : called
    return meant.length === 1 ? meant[0] : undefined
  }
}

function channelsNamed(
  ctx: RealmContext,
  db: Reader,
  writer: User,
  names: readonly string[],
): Lookups['channel'] {
  const access = new ChannelAccess(ctx, db, writer)
  const channels = new Map(
    [...new Set(names)].map((name) => {
      const channel = channelByName(db, name)
      return [name, channel && (writer.is_system_bot || access.maySee(channel)) ? channel : undefined]
    }),
  )
  return (name) => channels.get(name)
}

function emojiNamed(db: Reader, names: readonly string[]): Lookups['emoji'] {
  if (names.length === 0) return () => undefined
  const found = findEmojis(db, names)
  return (name) => {
    const emoji = found.get(name)
    if (emoji?.reaction_type === 'realm_emoji') return { ...emoji, url: realmEmojiAddress(db, emoji) }
    return emoji?.reaction_type === 'svc_extra_emoji' ? { ...emoji, url: extraEmojiAddress } : emoji
  }
}

/** What the writer sees as the server's address, where there is a request, and what the server thinks it is. */
function originsOf(ctx: RealmContext): string[] {
  const { request } = ctx as Partial<RequestContext>
  const addresses = [request?.realmUrl ?? '', ctx.server.url()].filter((address) => address !== '')
  return addresses.map((address) => new URL(address).origin)
}
