import { createBackup } from './create-backup.ts'
import { deleteBackup } from './delete-backup.ts'
import { downloadBackup } from './download-backup.ts'
import { getBackupJob } from './get-backup-job.ts'
import { getBackups } from './get-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { uploadBackup } from './upload-backup.ts'

export const backupRoutes = [
  getBackups,
  createBackup,
  getBackupJob,
  uploadBackup,
  downloadBackup,
  restoreBackup,
  deleteBackup,
]
