/** Long work on the database in turns, between which the server answers others. */
import { setImmediate } from 'node:timers/promises'
import type { RequestContext } from '../../../context.ts'
import { BadRequestError } from '../../../http/errors.ts'

/** Yields between two turns, each of them short. What it read in one may have changed by the next. */
export type Turns<Result> = Generator<void, Result, void>

/** Whose turn is next: of all that wait, one after each look at what else there is to do. */
let queue: Promise<unknown> = Promise.resolve()

const nextTurn = (): Promise<unknown> => {
  queue = queue.then(() => setImmediate())
  return queue
}

/**
 * The result of the last turn.
 * @param request ends the work when its client has gone
 */
export async function inTurns<Result>(turns: Turns<Result>, request?: RequestContext): Promise<Result> {
  let turn = turns.next()
  let isGone = false
  if (!turn.done) request?.request.onGone(() => (isGone = true))
  while (!turn.done) {
    await nextTurn()
    if (isGone) throw new BadRequestError('Nobody waits for the answer')
    turn = turns.next()
  }
  return turn.value
}
