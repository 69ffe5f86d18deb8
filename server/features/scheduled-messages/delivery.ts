/** Sends scheduled messages when their time has come, also those whose time came while the server was off. */
import { RealmContext, type Server } from '../../context.ts'
import { StorageUnavailableError } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError, BadRequestError, UserDeactivatedError } from '../../http/errors.ts'
import { sendMessage } from '../messages/actions.ts'
import { prepareContent } from '../messages/content.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { realmById } from '../realms/store.ts'
import { followAfterSending } from '../user-topics/actions.ts'
import type { User } from '../users/access.ts'
import { userById } from '../users/store.ts'
import { storedTarget } from './access.ts'
import { markFailed, unschedule } from './actions.ts'
import { dueMessages, nextDelivery, scheduledById, type ScheduledRow } from './store.ts'

/** A clock may be set, and a laptop may sleep: so often the time is looked at anew, in milliseconds. */
const LOOK_AGAIN = 15_000
/** Until the next try where nothing could be saved. */
const RETRY = 2000

export class ScheduledDelivery {
  private timer: NodeJS.Timeout | null = null
  private running = false

  constructor(private readonly server: () => Server) {}

  start(): void {
    this.running = true
    this.wake()
  }

  close(): void {
    this.running = false
    if (this.timer) clearTimeout(this.timer)
  }

  /** Sends what is due, and sets the timer to what is next: to be called when the schedule or the clock changed. */
  wake(): void {
    if (!this.running) return
    if (this.timer) clearTimeout(this.timer)
    this.timer = setTimeout(() => this.run(), this.untilNext()).unref()
  }

  private run(): void {
    const { database, now, log } = this.server()
    let wait = 0
    try {
      for (const { id, realm_id } of dueMessages(database, Math.floor(now() / 1000)))
        this.deliver(realm_id, id)
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) log.error({ err: error }, 'scheduled messages')
      wait = RETRY
    }
    if (!this.running) return
    this.timer = setTimeout(() => this.run(), Math.max(wait, this.untilNext())).unref()
  }

  private untilNext(): number {
    const { database, now } = this.server()
    try {
      const next = nextDelivery(database)
      return next === undefined ? LOOK_AGAIN : Math.min(Math.max(next * 1000 - now(), 0), LOOK_AGAIN)
    } catch (error) {
      if (error instanceof StorageUnavailableError) return RETRY
      throw error
    }
  }

  /** The message is there and the schedule without it, or neither: it is one transaction. */
  private deliver(realmId: number, id: number): void {
    const server = this.server()
    const realm = realmById(server.database, realmId)
    if (!realm) return
    const ctx = new RealmContext(server, realm)
    try {
      ctx.transact((tx) => {
        const row = scheduledById(tx, id)
        if (row) send(ctx, tx, row)
      })
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error
      if (!(error instanceof ApiError)) server.log.error({ err: error, id }, 'scheduled message')
      const reason = error instanceof ApiError ? error.message : 'An internal error occurred.'
      ctx.transact((tx) => {
        const row = scheduledById(tx, id)
        const sender = row && userById(tx, row.user_id)
        if (!row || !sender) return
        markFailed(tx, row)
        if (sender.is_active && !realm.isDeactivated) tellSender(ctx, tx, sender, reason)
      })
    }
  }
}

function send(ctx: RealmContext, tx: Tx, row: ScheduledRow): void {
  const sender = userById(tx, row.user_id)
  if (ctx.realm.isDeactivated) throw new BadRequestError('This organization has been deactivated')
  if (!sender?.is_active) throw new UserDeactivatedError()
  const target = storedTarget(ctx, tx, sender, row)
  unschedule(tx, row)
  sendMessage(ctx, tx, sender, {
    target,
    content: prepareContent(ctx, tx, sender, row.content, target),
    client: row.client,
    readBySender: row.read_by_sender === 1,
    realmUrl: ctx.realmUrl,
  })
  if ('channel' in target) followAfterSending(ctx, tx, sender, target.channel, target.topic)
}

function tellSender(ctx: RealmContext, tx: Tx, sender: User, reason: string): void {
  const text = `The message you scheduled could not be sent:\n\n> ${reason}\n\nYou can edit and schedule it again.`
  sendNotification(ctx, tx, { users: [sender] }, text)
}
