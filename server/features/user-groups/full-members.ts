/** Members become full members by the mere passing of time. This tells of it. */
import { RealmContext, type Server } from '../../context.ts'
import { allRealms } from '../realms/store.ts'
import { Role } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import { announceFullMembers } from './actions.ts'

const TICK_MS = 60_000
/** Queues live through a restart of some minutes. Who is told of twice is a full member once. */
const LOOK_BACK_SECONDS = 3600

/** Tells now, of those of the time the server was away, and from now on. @returns a function that ends it */
export function watchFullMembers(server: Server): () => void {
  let since = Math.floor(server.now() / 1000) - LOOK_BACK_SECONDS
  const tell = () => {
    const until = Math.floor(server.now() / 1000)
    try {
      tellFullMembers(server, since, until)
      since = until
    } catch (error) {
      // The storage may be away for a while: they are told of once it is back.
      server.log.warn({ err: error }, 'could not tell of new full members')
    }
  }
  tell()
  const timer = setInterval(tell, TICK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Tells every realm of the members whose waiting period ended in a span of time.
 * @param since UNIX seconds, excluded
 * @param until UNIX seconds, included
 */
export function tellFullMembers(server: Server, since: number, until: number): void {
  for (const realm of allRealms(server.database)) {
    const wait = realm.settings.waiting_period_threshold * 86_400
    if (wait === 0 || realm.isDeactivated) continue
    const ctx = new RealmContext(server, realm)
    const ids = activePeople(ctx.db)
      .filter(({ role, date_joined }) => {
        const ends = date_joined + wait
        return role === Role.member && ends > since && ends <= until
      })
      .map(({ id }) => id)
    if (ids.length === 0) continue
    ctx.transact((tx) => announceFullMembers(ctx, tx, ids, since))
  }
}
