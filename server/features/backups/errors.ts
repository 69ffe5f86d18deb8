import { ApiError } from '../../http/errors.ts'

/** Not a backup, or not one that can be restored; the message says why. Nothing was changed. */
export class UnusableBackupError extends ApiError {
  readonly code = 'UNUSABLE_BACKUP'
}

/** One backup or restore at a time. */
export class BackupBusyError extends ApiError {
  readonly code = 'BACKUP_BUSY'
  override readonly status = 409
}
