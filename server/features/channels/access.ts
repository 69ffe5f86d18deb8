/** Channels as they are fetched, together with whether the one who asks may. */
import type { Reader } from '../../db/transaction.ts'
import type { RealmContext } from '../../context.ts'
import { BadRequestError } from '../../http/errors.ts'
import { holds } from '../user-groups/access.ts'
import type { ChannelPermission, RealmPermission } from '../user-groups/settings.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { realmPermission } from '../realms/store.ts'
import type { Me, User } from '../users/access.ts'
import { isAdministrator, isGuest } from '../users/roles.ts'
import { type Channel, channelById, isSubscribedTo } from './store.ts'

/** One user's view of channels: what was asked once is not asked again. */
export class ChannelAccess {
  private readonly held = new Map<string, boolean>()

  constructor(
    private readonly ctx: RealmContext,
    private readonly db: Reader,
    readonly user: User,
  ) {}

  isSubscribed(channel: Channel): boolean {
    return isSubscribedTo(this.db, this.user.id, channel.id)
  }

  /** Whether the user holds one of the channel's permissions. */
  holds(channel: Channel, permission: ChannelPermission): boolean {
    return this.holdsValue(channel[permission])
  }

  holdsOfRealm(permission: RealmPermission): boolean {
    return this.holdsValue(JSON.stringify(realmPermission(this.db, this.ctx.realm, permission)))
  }

  private holdsValue(stored: string): boolean {
    let answer = this.held.get(stored)
    if (answer === undefined) {
      const now = this.ctx.server.now() / 1000
      answer = holds(this.db, this.ctx.realm, parseGroupSetting(stored), this.user, now)
      this.held.set(stored, answer)
    }
    return answer
  }

  /** Whether the user may read what is written there, now or by subscribing. */
  mayRead(channel: Channel, isSubscribed = this.isSubscribed(channel)): boolean {
    if (isSubscribed || channel.is_web_public) return true
    if (isGuest(this.user)) return false
    return (
      !channel.invite_only ||
      this.holds(channel, 'can_add_subscribers_group') ||
      this.holds(channel, 'can_subscribe_group')
    )
  }

  /** Whether the user may know of the channel: its name, settings and subscribers. */
  maySee(channel: Channel, isSubscribed = this.isSubscribed(channel)): boolean {
    return this.mayRead(channel, isSubscribed) || this.mayAdminister(channel)
  }

  mayAdminister(channel: Channel): boolean {
    if (isAdministrator(this.user)) return true
    return !isGuest(this.user) && this.holds(channel, 'can_administer_channel_group')
  }

  maySubscribeOthers(channel: Channel, isSubscribed = this.isSubscribed(channel)): boolean {
    if (isGuest(this.user)) return false
    if (this.holds(channel, 'can_add_subscribers_group')) return true
    if (channel.invite_only && !isSubscribed) return false
    return this.mayAdminister(channel) || this.holdsOfRealm('can_add_subscribers_group')
  }

  mayUnsubscribeOthers(channel: Channel): boolean {
    return this.mayAdminister(channel) || this.holds(channel, 'can_remove_subscribers_group')
  }
}

/**
 * A channel that the user may know of.
 * @throws BadRequestError for one that is not there or not to be known of
 */
export function channelToSee(ctx: RealmContext, db: Reader, me: Me, id: number): Channel {
  const channel = channelById(db, id)
  if (!channel || !new ChannelAccess(ctx, db, me).maySee(channel))
    throw new BadRequestError('Invalid channel ID')
  return channel
}

/** A channel that the user may administer. @throws BadRequestError */
export function channelToAdminister(ctx: RealmContext, db: Reader, me: Me, id: number): Channel {
  const channel = channelToSee(ctx, db, me, id)
  if (!new ChannelAccess(ctx, db, me).mayAdminister(channel)) {
    throw new BadRequestError('You do not have permission to administer this channel.')
  }
  return channel
}

/** A question about channels by their id, asked once for each. Of a channel that is not there the answer is no. */
export function perChannel(db: Reader, ask: (channel: Channel) => boolean): (id: number) => boolean {
  const answers = new Map<number, boolean>()
  return (id) => {
    let answer = answers.get(id)
    if (answer === undefined) {
      const channel = channelById(db, id)
      answer = channel !== undefined && ask(channel)
      answers.set(id, answer)
    }
    return answer
  }
}
