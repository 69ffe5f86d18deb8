import type { Tx } from '../../db/transaction.ts'
import { isAdministrator } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import { deleteInvitationsBy } from './store.ts'

/** Tells the administrators and the inviter that invitations are to be fetched again. */
export function tellOfInvitations(tx: Tx, inviterId: number): void {
  const to = activePeople(tx)
    .filter((person) => !person.is_bot && (person.id === inviterId || isAdministrator(person)))
    .map(({ id }) => id)
  if (to.length > 0) tx.emit({ type: 'invites_changed' }, { to })
}

/** Nobody comes in on the word of somebody who is gone. */
export function revokeInvitationsBy(tx: Tx, inviterId: number): void {
  if (deleteInvitationsBy(tx, inviterId)) tellOfInvitations(tx, inviterId)
}
