/** Makes the archive of an export (docs/export.md), a page of rows at a time: other work goes on in between. */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RealmContext } from '../../context.ts'
import { errorCode } from '../../db/disk-files.ts'
import { VERSION } from '../../version.ts'
import { ZipWriter } from '../backups/zip-writer.ts'
import { allChannels, type Channel, subscriberIds } from '../channels/store.ts'
import { dmUserIds } from '../messages/conversations.ts'
import { readableIds } from '../messages/access.ts'
import { presentRealmFields } from '../realms/present.ts'
import { ChannelAccess } from '../channels/access.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { channelPermissionNames } from '../user-groups/settings.ts'
import type { User } from '../users/access.ts'
import { profileDataByUser, userById } from '../users/store.ts'
import { deliveryEmailFor } from '../users/visibility.ts'
import { consents, type ExportRow } from './store.ts'

/** Raised when a reader of the older format could not read the newer one. */
const FORMAT = 1
const MESSAGES_PER_FILE = 1000
/** So many rows are read, and made into text, between two turns of everybody else. */
const PAGE = 100
const CHUNK_BYTES = 256 << 10

/**
 * Writes an export to a file that is not there yet.
 * @returns how much is in it
 */
export async function writeExport(
  target: string,
  ctx: RealmContext,
  row: ExportRow,
  signal: AbortSignal,
): Promise<{ messages: number; files: number }> {
  const draft = `${target}.partial`
  const handle = await open(draft, 'w', 0o600)
  try {
    const counts = await new Archive(
      ctx,
      row,
      new ZipWriter(handle, new Date(row.started_at * 1000)),
      signal,
    ).write()
    await handle.close()
    await rename(draft, target)
    return counts
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

class Archive {
  /** Those whose private messages are exported; nobody's where only what is public is. */
  readonly #consenters: readonly User[]
  readonly #channels: ReadonlyMap<number, Channel>
  /** Ids of attachments that exported messages link to. */
  readonly #attachments = new Set<number>()

  constructor(
    private readonly ctx: RealmContext,
    private readonly row: ExportRow,
    private readonly zip: ZipWriter,
    private readonly signal: AbortSignal,
  ) {
    const { db } = ctx
    const ids = row.export_type === 1 ? [] : consents(db).filter(({ consented }) => consented)
    this.#consenters = ids.map(({ user_id }) => userById(db, user_id)).filter((user) => user !== undefined)
    const views = this.#consenters.map((user) => new ChannelAccess(ctx, db, user))
    const exported = allChannels(db).filter(
      (channel) => !channel.invite_only || views.some((view) => view.mayRead(channel)),
    )
    this.#channels = new Map(exported.map((channel) => [channel.id, channel]))
  }

  async write(): Promise<{ messages: number; files: number }> {
    const { ctx, row } = this
    const { realm, server } = ctx
    await this.#add('realm.json', {
      id: realm.id,
      string_id: realm.stringId,
      date_created: realm.dateCreated,
      ...presentRealmFields(server, ctx.db, realm),
    })
    await this.#addList('users.json', this.#users())
    await this.#addList('user_groups.json', this.#groups())
    await this.#addList('channels.json', this.#channelObjects())
    await this.#addList('profile_fields.json', this.#table('profile_fields'))
    const messages = await this.#addMessages()
    await this.#addList('attachments.json', this.#attachmentPages())
    await this.#addList('emoji.json', this.#table('realm_emoji'))
    const files = await this.#addFiles()
    await this.#add('export.json', {
      format: FORMAT,
      program: 'parley',
      version: VERSION,
      export_type: row.export_type === 1 ? 'public' : 'standard',
      started_at: row.started_at,
      consented_user_ids: this.#consenters.map(({ id }) => id),
      messages,
      files,
    })
    await this.zip.finish()
    return { messages, files }
  }

  /** Everybody, without keys and passwords. */
  async *#users(): AsyncGenerator<object[]> {
    const { db } = this.ctx
    const administrator = userById(db, this.row.acting_user_id) ?? null
    for await (const users of this.#table('users')) {
      const profiles = profileDataByUser(
        db,
        users.map(({ id }) => id),
      )
      yield (users as unknown as User[]).map((user) => ({
        user_id: user.id,
        delivery_email: deliveryEmailFor(administrator, user),
        full_name: user.full_name,
        role: user.role,
        is_active: user.is_active === 1,
        is_bot: user.is_bot === 1,
        bot_type: user.bot_type,
        bot_owner_id: user.bot_owner_id,
        date_joined: user.date_joined,
        timezone: user.timezone,
        profile_data: profiles.get(user.id) ?? {},
      }))
    }
  }

  async *#groups(): AsyncGenerator<object[]> {
    const { db } = this.ctx
    for await (const groups of this.#table('user_groups')) {
      yield groups.map(({ realm_id: _, settings, ...group }) => ({
        ...group,
        settings: JSON.parse(String(settings)) as object,
        members: db
          .all(db.q.selectFrom('user_group_members').select('user_id').where('group_id', '=', group.id))
          .map(({ user_id }) => user_id),
        direct_subgroup_ids: db
          .all(db.q.selectFrom('user_group_subgroups').select('subgroup_id').where('group_id', '=', group.id))
          .map(({ subgroup_id }) => subgroup_id),
      }))
    }
  }

  async *#channelObjects(): AsyncGenerator<object[]> {
    for (const { realm_id: _, name_key: __, ...channel } of this.#channels.values()) {
      const permissions = channelPermissionNames.map((name) => [name, parseGroupSetting(channel[name])])
      const subscribers = subscriberIds(this.ctx.db, channel.id)
      yield [{ ...channel, ...(Object.fromEntries(permissions) as object), subscribers }]
      await nextTurn()
    }
  }

  /** Messages in files of a thousand. Answers how many there are. */
  async #addMessages(): Promise<number> {
    const pages = this.#messages()
    let page: object[] = []
    const hasMore = async (): Promise<boolean> => {
      if (page.length === 0) page = (await pages.next()).value ?? []
      return page.length > 0
    }
    let count = 0
    for (let part = 1; await hasMore(); part += 1) {
      let room = MESSAGES_PER_FILE
      const inFile = async function* (): AsyncGenerator<object[]> {
        while (room > 0 && (await hasMore())) {
          const next = page.splice(0, room)
          room -= next.length
          yield next
        }
      }
      await this.#addList(`messages/${String(part).padStart(6, '0')}.json`, inFile())
      count += MESSAGES_PER_FILE - room
    }
    return count
  }

  /** Those to be exported, at most {@link PAGE} at a time, with what belongs to each. */
  async *#messages(): AsyncGenerator<object[], undefined> {
    const { db } = this.ctx
    const newest = db.sql<{ id: number }>(
      'SELECT COALESCE(MAX(id), 0) AS id FROM messages WHERE realm_id = :realm',
    )[0]
    let after = 0
    for (;;) {
      const window = db.sql<{ id: number; channel_id: number | null }>(
        `SELECT m.id, c.channel_id FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE m.realm_id = :realm AND m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ${PAGE}`,
        [after, newest?.id ?? 0],
      )
      const last = window.at(-1)
      if (!last) return
      after = last.id
      const ids = await this.#exportable(window)
      if (ids.length > 0) yield this.#messageObjects(ids)
      await nextTurn()
    }
  }

  /** What is public, and what somebody who consented may read. */
  async #exportable(window: readonly { id: number; channel_id: number | null }[]): Promise<number[]> {
    const isPublic = (id: number | null) => id !== null && this.#channels.get(id)?.invite_only === 0
    const exported = new Set(window.filter((one) => isPublic(one.channel_id)).map(({ id }) => id))
    for (const user of this.#consenters) {
      const open = window.map(({ id }) => id).filter((id) => !exported.has(id))
      if (open.length === 0) break
      for (const id of readableIds(this.ctx, this.ctx.db, user, open)) exported.add(id)
      await nextTurn()
    }
    return [...exported].sort((a, b) => a - b)
  }

  #messageObjects(ids: readonly number[]): object[] {
    const { db } = this.ctx
    const given = JSON.stringify(ids)
    const inPage = 'IN (SELECT value FROM json_each(?)) AND +realm_id = :realm'
    const reactions = db.sql<Record<string, unknown>>(
      `SELECT message_id, user_id, emoji_name, emoji_code, reaction_type FROM reactions
        WHERE message_id ${inPage} ORDER BY id`,
      [given],
    )
    const links = db.sql<{ message_id: number; attachment_id: number }>(
      `SELECT message_id, attachment_id FROM attachment_messages WHERE message_id ${inPage}`,
      [given],
    )
    for (const { attachment_id } of links) this.#attachments.add(attachment_id)
    return db
      .sql<{ id: number; edit_history: string | null; channel_id: number | null; dm_key: string | null }>(
        `SELECT m.id, m.sender_id, m.topic, m.content, m.rendered_content, m.client, m.timestamp, m.edit_history,
                m.last_edit_timestamp, m.last_moved_timestamp, c.channel_id, c.dm_key
           FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
        [given],
      )
      .map(({ edit_history, channel_id, dm_key, ...message }) => ({
        ...message,
        ...(channel_id === null
          ? { type: 'private', user_ids: dmUserIds(dm_key ?? '') }
          : { type: 'stream', stream_id: channel_id }),
        edit_history: edit_history === null ? [] : (JSON.parse(edit_history) as unknown[]),
        reactions: reactions
          .filter((one) => one['message_id'] === message.id)
          .map(({ message_id: _, ...reaction }) => reaction),
        attachment_ids: links
          .filter((one) => one.message_id === message.id)
          .map((link) => link.attachment_id),
      }))
  }

  async *#attachmentPages(): AsyncGenerator<(object & { path_id: string })[]> {
    const consenters = new Set(this.#consenters.map(({ id }) => id))
    for await (const rows of this.#table('attachments')) {
      const attachments = rows as unknown as {
        id: number
        owner_id: number
        path_id: string
        realm_id: number
      }[]
      yield attachments
        .filter(({ id, owner_id }) => this.#attachments.has(id) || consenters.has(owner_id))
        .map(({ realm_id: _, ...attachment }) => attachment)
    }
  }

  async #addFiles(): Promise<number> {
    const { realm, server } = this.ctx
    let count = 0
    for await (const page of this.#attachmentPages()) {
      for (const { path_id } of page)
        count += await this.#addFile(join(server.folder.uploads, path_id), `uploads/${path_id}`)
    }
    for await (const page of this.#table('realm_emoji')) {
      for (const emoji of page) {
        const names = [emoji['file_name'], emoji['still_file']].filter((name) => typeof name === 'string')
        for (const name of names) {
          count += await this.#addFile(
            join(server.folder.uploads, String(realm.id), 'emoji', name),
            `emoji/${name}`,
          )
        }
      }
    }
    return count
  }

  /** Answers how many files that were: none, where it is gone. */
  async #addFile(file: string, name: string): Promise<0 | 1> {
    let handle
    try {
      handle = await open(file, 'r')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return 0
      throw error
    }
    const chunks = createReadStream(file, { fd: handle, highWaterMark: CHUNK_BYTES })
    try {
      await this.zip.add(name, this.#watched(chunks))
      return 1
    } finally {
      chunks.destroy()
    }
  }

  /** All rows of a table that has ids, a page at a time. */
  async *#table(
    table: 'users' | 'user_groups' | 'profile_fields' | 'attachments' | 'realm_emoji',
  ): AsyncGenerator<({ id: number } & Record<string, unknown>)[]> {
    const { db } = this.ctx
    let after = 0
    for (;;) {
      const rows = db.sql<{ id: number } & Record<string, unknown>>(
        `SELECT * FROM ${table} WHERE realm_id = :realm AND id > ? ORDER BY id LIMIT ${PAGE}`,
        [after],
      )
      const last = rows.at(-1)
      if (!last) return
      after = last.id
      yield rows
      await nextTurn()
    }
  }

  async #add(name: string, value: object): Promise<void> {
    await this.zip.add(name, [Buffer.from(`${JSON.stringify(value, null, 1)}\n`)])
  }

  /** A JSON list with an entry a line. */
  async #addList(name: string, pages: AsyncIterable<object[]>): Promise<void> {
    await this.zip.add(name, this.#watched(listText(pages)))
  }

  async *#watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.signal.throwIfAborted()
      yield chunk
    }
  }
}

async function* listText(pages: AsyncIterable<object[]>): AsyncGenerator<Uint8Array> {
  let separator = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield Buffer.from(separator + page.map((one) => JSON.stringify(one)).join(',\n'))
    separator = ',\n'
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n')
}
