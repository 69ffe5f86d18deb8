import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export type Invitation = Row<'invitations'>

export const isExpired = ({ expires }: Invitation, now: number): boolean => expires !== null && expires <= now

/** Of one inviter, or of everybody; expired ones too. */
export function allInvitations(db: Reader, inviterId: number | null): Invitation[] {
  const all = db.q.selectFrom('invitations').selectAll()
  return db.all((inviterId === null ? all : all.where('invited_by', '=', inviterId)).orderBy('id'))
}

export const invitationById = (db: Reader, id: number): Invitation | undefined =>
  db.first(db.q.selectFrom('invitations').selectAll().where('id', '=', id))

export const invitationByKey = (db: Reader, key: string): Invitation | undefined =>
  db.first(db.q.selectFrom('invitations').selectAll().where('key', '=', key))

export function deleteInvitation(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('invitations').where('id', '=', id))
}

/** @returns whether there was one */
export const deleteInvitationsTo = (tx: Tx, emailKey: string): boolean =>
  tx.run(tx.q.deleteFrom('invitations').where('email_key', '=', emailKey)) > 0

/** @returns whether there was one */
export const deleteInvitationsBy = (tx: Tx, inviterId: number): boolean =>
  tx.run(tx.q.deleteFrom('invitations').where('invited_by', '=', inviterId)) > 0

export function deleteExpired(tx: Tx): void {
  tx.run(tx.q.deleteFrom('invitations').where('expires', '<=', tx.now))
}
