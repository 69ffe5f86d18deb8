import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { assertAdministrator, type Me } from '../users/access.ts'
import { allGroups, type DefaultChannelGroup } from './store.ts'

/** A group that an administrator is about to change. @throws BadRequestError */
export function groupToManage(db: Reader, me: Me, id: number): DefaultChannelGroup {
  assertAdministrator(me)
  const group = allGroups(db).find((one) => one.id === id)
  if (!group) throw new BadRequestError(`Default channel group with id '${id}' does not exist.`)
  return group
}
