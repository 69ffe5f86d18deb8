/** What changes about groups of default channels. Everybody but guests is told of all groups anew. */
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { type Channel, channelByName } from '../channels/store.ts'
import { isGuest } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import {
  addChannels,
  allGroups,
  type DefaultChannelGroup,
  removeChannelEverywhere,
  removeChannels,
} from './store.ts'

/** @throws BadRequestError when the name is taken, or a channel cannot be in a group */
export function createGroup(
  tx: Tx,
  name: string,
  description: string,
  channelNames: readonly string[],
): void {
  assertNameIsFree(tx, name)
  const channels = channelNames.map((one) => channelForGroup(tx, one))
  assertDistinct(channels, name)
  const id = tx.insert('default_channel_groups', { name, description })
  addChannels(
    tx,
    id,
    channels.map((channel) => channel.id),
  )
  tellOfGroups(tx)
}

/** @throws BadRequestError when the name is taken */
export function changeGroup(
  tx: Tx,
  group: DefaultChannelGroup,
  { name = group.name, description = group.description }: { name?: string; description?: string },
): void {
  if (name === group.name && description === group.description) return
  if (name !== group.name) assertNameIsFree(tx, name)
  tx.run(tx.q.updateTable('default_channel_groups').set({ name, description }).where('id', '=', group.id))
  tellOfGroups(tx)
}

export function deleteGroup(tx: Tx, group: DefaultChannelGroup): void {
  tx.run(tx.q.deleteFrom('default_channel_group_channels').where('group_id', '=', group.id))
  tx.run(tx.q.deleteFrom('default_channel_groups').where('id', '=', group.id))
  tellOfGroups(tx)
}

/** @throws BadRequestError for a channel that is in the group, or cannot be in one */
export function addToGroup(tx: Tx, group: DefaultChannelGroup, channelNames: readonly string[]): void {
  const channels = channelNames.map((one) => channelForGroup(tx, one))
  assertDistinct(channels, group.name, group.streams)
  addChannels(
    tx,
    group.id,
    channels.map(({ id }) => id),
  )
  tellOfGroups(tx)
}

/** @throws BadRequestError for a channel that is not in the group */
export function removeFromGroup(tx: Tx, group: DefaultChannelGroup, channelNames: readonly string[]): void {
  const ids = channelNames.map((name) => {
    const channel = existing(tx, name)
    if (group.streams.includes(channel.id)) return channel.id
    throw new BadRequestError(
      `Channel '${channel.name}' is not present in default channel group '${group.name}'`,
    )
  })
  removeChannels(tx, group.id, ids)
  tellOfGroups(tx)
}

/** A channel that is archived, private or a default one leaves all groups: they offer what a newcomer may choose. */
export function leaveGroups(tx: Tx, channelId: number): void {
  if (removeChannelEverywhere(tx, channelId)) tellOfGroups(tx)
}

function tellOfGroups(tx: Tx): void {
  const people = activePeople(tx).filter((user) => !isGuest(user))
  tx.emit(
    { type: 'default_stream_groups', default_stream_groups: allGroups(tx) },
    { to: people.map(({ id }) => id) },
  )
}

function assertNameIsFree(tx: Tx, name: string): void {
  if (allGroups(tx).some((group) => group.name === name)) {
    throw new BadRequestError(`Default channel group '${name}' already exists`)
  }
}

function existing(tx: Tx, name: string): Channel {
  const channel = channelByName(tx, name)
  if (!channel) throw new BadRequestError(`Invalid channel name '${name}'`)
  return channel
}

function channelForGroup(tx: Tx, name: string): Channel {
  const channel = existing(tx, name)
  // Everybody gets the group's ids, and a private channel is nobody else's business.
  if (channel.invite_only) throw new BadRequestError('Private channels cannot be in a default channel group.')
  if (channel.is_default) {
    throw new BadRequestError(`'${channel.name}' is a default channel and cannot be added to a group`)
  }
  return channel
}

function assertDistinct(channels: readonly Channel[], group: string, present: readonly number[] = []): void {
  const seen = new Set(present)
  for (const { id, name } of channels) {
    if (seen.has(id)) {
      throw new BadRequestError(`Channel '${name}' is already present in default channel group '${group}'`)
    }
    seen.add(id)
  }
}
