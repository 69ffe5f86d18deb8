/** Makes the demo realm: an office of eleven in which people have been talking for a fortnight. */
import { join } from 'node:path'
import type { RealmContext, Server } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { hashPassword, randomKey } from '../../services/passwords.ts'
import { renderMarkdown } from '../../services/markdown.ts'
import { createChannel, subscribe } from '../channels/actions.ts'
import { channelByName } from '../channels/store.ts'
import { sendMessage } from '../messages/actions.ts'
import { prepareContent, type Target } from '../messages/content.ts'
import { FlagBit, setFlagBits } from '../messages/flags.ts'
import { createRealm } from '../realms/actions.ts'
import { createGroup } from '../user-groups/actions.ts'
import { systemGroupId } from '../user-groups/store.ts'
import type { User } from '../users/access.ts'
import { createUser } from '../users/actions.ts'
import { Role } from '../users/roles.ts'
import { updateUser } from '../users/store.ts'
import { customEmoji } from './assets/custom-emoji.ts'
import { pierTimings } from './assets/pier-timings.ts'
import { type ChannelName, channelList, groups, type Person, people, subscriptionChoices } from './office.ts'
import { placeFile } from './place-file.ts'
import { fieldList, FieldType, profileList, storedAnswer } from './profiles.ts'
import { emojiOf } from './reactions.ts'
import { markRead } from './read-state.ts'
import { schedule } from './schedule.ts'

const DAY = 86_400

/** Long and random enough that a quick hash will do: ten slow ones would take longer than all the rest. */
const PASSWORD_LENGTH = 20
const HASH_WORK = 2 ** 10

const personList = Object.entries(people) as [Person, (typeof people)[Person]][]

type Staff = Record<Person, User>

/**
 * Makes the demo realm in one transaction, the same every time but for passwords, keys, and the time it is seen from.
 * @param now milliseconds
 * @returns passwords by email
 */
export async function createDemoRealm(server: Server, now: number): Promise<Record<string, string>> {
  const passwords = randomPasswords()
  const hashes = await hashAll(passwords)
  const seconds = Math.floor(now / 1000)
  const { email, full_name, joined } = people.amara
  const fields = {
    stringId: 'demo',
    name: 'Demo office',
    owner: { email, full_name, password_hash: hashes.get(email) ?? null },
    dateCreated: seconds - joined * DAY,
    settings: {
      description: 'A small office to look around in. Nothing here is real; change what you like.',
      enable_spectator_access: true,
    },
  }
  createRealm(server, fields, (ctx, tx, owner) => {
    const staff = addPeople(ctx, tx, owner, hashes, seconds)
    addGroups(tx, staff, seconds)
    addProfiles(tx, staff)
    addChannels(ctx, tx, staff, seconds)
    const emojiIds = addEmoji(ctx, tx, staff)
    addMessages(ctx, tx, staff, emojiIds, now)
    for (const [name, { behind }] of personList) markRead(tx, staff[name], behind)
  })
  return passwords
}

function randomPasswords(): Record<string, string> {
  const emails = personList.filter(([name]) => name !== 'bot').map(([, { email }]) => email)
  return Object.fromEntries(emails.map((email) => [email, randomKey(PASSWORD_LENGTH)]))
}

const hashAll = async (passwords: Record<string, string>): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      Object.entries(passwords).map(
        async ([email, password]) => [email, await hashPassword(password, HASH_WORK)] as const,
      ),
    ),
  )

const addressOf = ({ realm }: RealmContext): string => `/r/${realm.stringId}`

function addPeople(
  ctx: RealmContext,
  tx: Tx,
  owner: User,
  hashes: ReadonlyMap<string, string>,
  now: number,
): Staff {
  updateUser(tx, owner.id, { timezone: people.amara.timezone, can_change_user_emails: 1 })
  const staff: Partial<Staff> = { amara: owner }
  for (const [name, { email, full_name, role, timezone, joined }] of personList) {
    staff[name] ??= createUser(
      ctx,
      tx,
      {
        email,
        full_name,
        role,
        timezone,
        password_hash: hashes.get(email) ?? null,
        date_joined: now - joined * DAY,
        ...(name === 'bot' ? { bot: { type: 1, owner_id: staff.johannes?.id ?? null } } : {}),
      },
      addressOf(ctx),
    )
    if (role === Role.administrator) updateUser(tx, staff[name].id, { can_create_users: 1 })
  }
  return staff as Staff
}

function addGroups(tx: Tx, staff: Staff, now: number): void {
  const ids = new Map<string, number>()
  for (const { name, description, members, subgroups } of groups) {
    const id = createGroup(tx, staff.johannes.id, {
      name,
      description,
      members: members.map((member) => staff[member].id),
      subgroups: subgroups.map((subgroup) => ids.get(subgroup) ?? -1),
      settings: {},
      date_created: now - 120 * DAY,
    })
    ids.set(name, id)
  }
}

function addProfiles(tx: Tx, staff: Staff): void {
  const idOf = (name: Person) => staff[name].id
  const fieldIds = new Map(
    fieldList.map(([key, { type, name, hint, fieldData, inSummary }], index) => {
      const id = tx.insert('profile_fields', {
        type,
        sort_order: index + 1,
        name,
        hint,
        field_data: fieldData ? JSON.stringify(fieldData) : '',
        display_in_profile_summary: bit(inSummary ?? false),
        required: 0,
        editable_by_user: 1,
      })
      return [key, { id, isMarkdown: type === FieldType.shortText || type === FieldType.longText }]
    }),
  )
  for (const { person, field, answer } of profileList) {
    const { id: field_id, isMarkdown } = fieldIds.get(field) ?? { id: -1, isMarkdown: false }
    const value = storedAnswer(answer, idOf)
    const rendered_value = isMarkdown ? renderMarkdown(value) : null
    tx.insert('profile_values', { user_id: idOf(person), field_id, value, rendered_value })
  }
}

function addChannels(ctx: RealmContext, tx: Tx, staff: Staff, now: number): void {
  const administrators = systemGroupId(tx, 'role:administrators')
  for (const [name, planned] of channelList) {
    const channel = createChannel(ctx, tx, {
      name,
      description: planned.description,
      creator_id: staff[planned.creator].id,
      // So long ago that the weekly traffic is known.
      date_created: now - 21 * DAY,
      is_default: planned.isDefault ?? false,
      invite_only: planned.isPrivate ?? false,
      history_public_to_subscribers: !planned.isPrivate,
      is_web_public: (planned.isWebPublic ?? false) && ctx.server.config.webPublicStreamsEnabled,
      permissions: planned.onlyAdministratorsPost ? { can_send_message_group: administrators } : {},
    })
    subscribe(
      ctx,
      tx,
      channel,
      planned.members.map((member) => staff[member]),
    )
  }
  for (const [name, channel, choices] of subscriptionChoices) {
    tx.run(
      tx.q
        .updateTable('subscriptions')
        .set(choices)
        .where('user_id', '=', staff[name].id)
        .where('channel_id', '=', existing(tx, channel).id),
    )
  }
}

function existing(tx: Tx, name: ChannelName) {
  const channel = channelByName(tx, name)
  if (!channel) throw new Error(`The demo has no channel ${name}`)
  return channel
}

function addEmoji(ctx: RealmContext, tx: Tx, staff: Staff): Map<string, number> {
  return new Map(
    Object.entries(customEmoji).map(([name, picture]) => {
      const file_name = `${name}.png`
      const file = join(ctx.server.folder.uploads, String(tx.realmId), 'emoji', file_name)
      placeFile(file, Buffer.from(picture, 'base64'))
      const author_id = staff.sofia.id
      return [name, tx.insert('realm_emoji', { name, author_id, file_name, is_animated: 0 })]
    }),
  )
}

function addMessages(
  ctx: RealmContext,
  tx: Tx,
  staff: Staff,
  emojiIds: ReadonlyMap<string, number>,
  now: number,
): void {
  const channels = new Map(channelList.map(([name]) => [name, existing(tx, name)]))
  const channelNamed = (name: ChannelName) => channels.get(name) ?? existing(tx, name)
  const pathId = `${tx.realmId}/7e/Hw4nT2zQx8mLc0KpVd6RsYjB/${pierTimings.name}`
  const realmUrl = addressOf(ctx)
  for (const planned of schedule(now)) {
    if ('joins' in planned) {
      subscribe(ctx, tx, channelNamed(planned.channel), [staff[planned.joins]])
      continue
    }
    const { target, author, text, marks, timestamp } = planned
    const channel = 'channel' in target ? channelNamed(target.channel) : null
    const place: Target =
      'with' in target
        ? { users: target.with.map((name) => staff[name]) }
        : { channel: channelNamed(target.channel), topic: target.topic }
    const content = text.replace('{upload}', `/user_uploads/${pathId}`)
    const id = sendMessage(ctx, tx, staff[author], {
      target: place,
      content: prepareContent(ctx, tx, staff[author], content, place),
      client: author === 'bot' ? 'BuildBot' : 'website',
      // Who has read what is settled at the end, for all messages at once.
      readBySender: false,
      realmUrl,
      timestamp,
    })
    if (channel) channel.first_message_id ??= id
    if (text.includes('{upload}')) addUpload(ctx, tx, pathId, staff[author], id, timestamp)
    for (const [mark, names] of Object.entries(marks)) {
      for (const name of names.split(' ')) {
        const user = staff[name as Person]
        if (!user) throw new Error(`Nobody in the demo is called ${name}`)
        if (mark === 'starred') setFlagBits(tx, user.id, id, FlagBit.starred)
        else tx.insert('reactions', { message_id: id, user_id: user.id, ...emojiOf(mark, emojiIds) })
      }
    }
  }
}

/** The file is on disk before the transaction that names it is. */
function addUpload(
  ctx: RealmContext,
  tx: Tx,
  path_id: string,
  owner: User,
  message_id: number,
  timestamp: number,
): void {
  const { name, contentType, content } = pierTimings
  placeFile(join(ctx.server.folder.uploads, path_id), content)
  const attachment_id = tx.insert('attachments', {
    owner_id: owner.id,
    name,
    path_id,
    content_type: contentType,
    size: Buffer.byteLength(content),
    create_time: timestamp * 1000,
  })
  tx.insert('attachment_messages', { attachment_id, message_id })
}
