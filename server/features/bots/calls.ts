/** Calls the services of outgoing webhook bots. What is not yet done is in the database, so that a restart loses none. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { RealmContext, type Server } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { ApiError } from '../../http/errors.ts'
import { sendMessage } from '../messages/actions.ts'
import { prepareContent, type Target } from '../messages/content.ts'
import { dmUserIds } from '../messages/conversations.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { presentMessages } from '../messages/present.ts'
import { placesOf, rawContent } from '../messages/store.ts'
import { channelById } from '../channels/store.ts'
import { realmById } from '../realms/store.ts'
import type { User } from '../users/access.ts'
import { userById, usersByIds } from '../users/store.ts'
import { apiEmail } from '../users/visibility.ts'
import { serviceOf } from './store.ts'

type Call = Row<'bot_calls'>

const MAX_TRIES = 3
const TIMEOUT_MS = 10_000
/** Of a service's answer, in bytes. */
const MAX_ANSWER = 1024 * 1024
/** How many services are waited for at once. */
const AT_ONCE = 8

const Answer = z.object({
  content: z.string().optional(),
  response_string: z.string().optional(),
  response_not_required: z.boolean().optional(),
})
type Answer = z.output<typeof Answer>

/** A service that cannot be called, or whose answer cannot be used. */
class CallFailed extends Error {
  constructor(
    message: string,
    readonly mayRetry: boolean,
  ) {
    super(message)
  }
}

/**
 * At least once: a service is called again when the server stopped before it knew that the call had succeeded. The calls
 * of one bot are made one after the other, so that its answers come in order.
 */
export class BotCalls {
  private readonly stopping = new AbortController()
  /** Bots whose calls are being made. */
  private readonly busy = new Map<number, Promise<void>>()

  constructor(
    private readonly server: () => Server,
    /** Milliseconds before the second try; the third waits three times as long. */
    private readonly backoffMs = 1000,
  ) {}

  /** Makes the calls that are waiting, without being waited for. Call it when there may be new ones. */
  wake(): void {
    if (this.stopping.signal.aborted) return
    const waiting = this.server().database.all<{ bot_id: number; realm_id: number }>(
      'SELECT DISTINCT bot_id, realm_id FROM bot_calls ORDER BY id',
    )
    for (const { bot_id, realm_id } of waiting) {
      if (this.busy.size >= AT_ONCE) return
      if (this.busy.has(bot_id)) continue
      const work = this.callAll(realm_id, bot_id)
        .catch((error: unknown) => {
          if (!this.stopping.signal.aborted) this.server().log.error({ err: error }, 'outgoing webhook')
          return false
        })
        .then((isDone) => {
          this.busy.delete(bot_id)
          // A fault of ours is not tried again at once.
          if (isDone) this.wake()
        })
      this.busy.set(bot_id, work)
    }
  }

  /** Stops waiting for services; calls that were under way are made again at the next start. */
  async close(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.busy.values())
  }

  private async callAll(realmId: number, botId: number): Promise<boolean> {
    const realm = realmById(this.server().database, realmId)
    if (!realm) return false
    for (;;) {
      const ctx = new RealmContext(this.server(), realm)
      const next = ctx.db.first(
        ctx.db.q.selectFrom('bot_calls').selectAll().where('bot_id', '=', botId).orderBy('id').limit(1),
      )
      if (!next || this.stopping.signal.aborted) return true
      // Nobody outside hears of what a power cut could still undo.
      await ctx.server.database.durable()
      await this.callOne(ctx, next)
    }
  }

  private async callOne(ctx: RealmContext, call: Call): Promise<void> {
    const bot = userById(ctx.db, call.bot_id)
    const service = serviceOf(ctx.db, call.bot_id)
    const body = bot?.is_active && service ? requestBody(ctx, call, bot, service.token) : null
    if (!bot || !service || !body) {
      ctx.transact((tx) => forget(tx, call))
      return
    }
    try {
      const answer = await this.post(service.base_url, body)
      ctx.transact((tx) => {
        forget(tx, call)
        reply(ctx, tx, call, bot, answer)
      })
    } catch (error) {
      if (this.stopping.signal.aborted) return
      if (!(error instanceof CallFailed) && !(error instanceof ApiError)) throw error
      const tries = call.tries + 1
      if (error instanceof CallFailed && error.mayRetry && tries < MAX_TRIES) {
        ctx.transact((tx) => tx.run(tx.q.updateTable('bot_calls').set({ tries }).where('id', '=', call.id)))
        await sleep(this.backoffMs * 3 ** (tries - 1), undefined, { signal: this.stopping.signal })
        return
      }
      ctx.transact((tx) => {
        forget(tx, call)
        tellOwner(ctx, tx, bot, error.message)
      })
    }
  }

  private async post(url: string, body: object): Promise<Answer> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    let text: string
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'ParleyOutgoingWebhook' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal,
      })
      if (!response.ok) {
        void response.body?.cancel()
        throw new CallFailed(`The service answered with status ${response.status}.`, response.status >= 500)
      }
      text = await readLimited(response)
    } catch (error) {
      if (error instanceof CallFailed) throw error
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw new CallFailed(
        isLate ? 'The service did not answer in time.' : 'The service cannot be reached.',
        true,
      )
    }
    return parseAnswer(text)
  }
}

function parseAnswer(text: string): Answer {
  if (text.trim() === '') return {}
  try {
    return Answer.parse(JSON.parse(text))
  } catch {
    throw new CallFailed('The answer of the service is not the JSON that was expected.', false)
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new CallFailed('The answer of the service is too long.', false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What the service is told; null when the message is gone. */
function requestBody(ctx: RealmContext, call: Call, bot: User, token: string): object | null {
  const form = { realmUrl: call.realm_url, extAvatar: false, allowEmptyTopic: true }
  const present = (applyMarkdown: boolean) =>
    presentMessages(ctx, ctx.db, bot, [call.message_id], { ...form, applyMarkdown })[0]
  const message = present(false)
  const data = rawContent(ctx.db, call.message_id)
  if (!message || data === undefined) return null
  return {
    bot_email: apiEmail(ctx.realm, bot),
    bot_full_name: bot.full_name,
    data,
    message: { ...message, rendered_content: present(true)?.content ?? '' },
    token,
    trigger: call.cause,
  }
}

const forget = (tx: Tx, call: Call): number => tx.run(tx.q.deleteFrom('bot_calls').where('id', '=', call.id))

/** Sends what the service answered to where the bot was spoken to. */
function reply(ctx: RealmContext, tx: Tx, call: Call, bot: User, answer: Answer): void {
  const text = answer.content ?? answer.response_string ?? ''
  if (answer.response_not_required || text.trim() === '') return
  const [place] = placesOf(tx, [call.message_id])
  const target = place && placeOf(tx, place)
  if (!target) return
  sendMessage(ctx, tx, bot, {
    target,
    content: prepareContent(ctx, tx, bot, text, target),
    client: 'OutgoingWebhookResponse',
    readBySender: true,
    realmUrl: call.realm_url,
  })
}

function placeOf(tx: Tx, place: NonNullable<ReturnType<typeof placesOf>[number]>): Target | undefined {
  if (place.channel_id === null) return { users: usersByIds(tx, dmUserIds(place.dm_key ?? '')) }
  const channel = channelById(tx, place.channel_id)
  return channel && !channel.is_archived ? { channel, topic: place.topic } : undefined
}

function tellOwner(ctx: RealmContext, tx: Tx, bot: User, problem: string): void {
  const owner = bot.bot_owner_id === null ? undefined : userById(tx, bot.bot_owner_id)
  if (!owner?.is_active) return
  const text = `A message to your bot @_**${bot.full_name}|${bot.id}** could not be handed to its service. ${problem}`
  sendNotification(ctx, tx, { users: [owner] }, text)
}
