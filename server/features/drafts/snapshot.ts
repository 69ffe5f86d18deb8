import type { Reader } from '../../db/transaction.ts'
import { settingsOf } from '../user-settings/settings.ts'
import type { Me } from '../users/access.ts'
import { presentDraft } from './present.ts'
import { draftsOf } from './store.ts'

export const draftSnapshot = (db: Reader, me: Me, allowEmptyTopic: boolean) =>
  settingsOf(me).enable_drafts_synchronization
    ? draftsOf(db, me.id).map((draft) => presentDraft(draft, allowEmptyTopic))
    : []
