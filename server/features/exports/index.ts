import { createExport } from './create-export.ts'
import { deleteExport } from './delete-export.ts'
import { getExportConsents } from './get-export-consents.ts'
import { getExports } from './get-exports.ts'

export const exportRoutes = [getExports, createExport, deleteExport, getExportConsents]
