/** What changes about muted users. Only who mutes hears of it. */
import type { Tx } from '../../db/transaction.ts'
import { changeFlag, unreadIds } from '../messages/flag-actions.ts'
import type { Me, User } from '../users/access.ts'
import { mutedBy } from './store.ts'

/** Mutes a user, and marks as read what there is of theirs. */
export function muteUser(tx: Tx, me: Me, user: User): void {
  tx.insert('muted_users', { user_id: me.id, muted_user_id: user.id, timestamp: tx.now })
  tellOfMutes(tx, me)
  changeFlag(tx, me, unreadIds(tx, me, { senderId: user.id }), 'read', 'add')
}

export function tellOfMutes(tx: Tx, me: Me): void {
  tx.emit({ type: 'muted_users', muted_users: mutedBy(tx, me.id) }, { to: [me.id] })
}
