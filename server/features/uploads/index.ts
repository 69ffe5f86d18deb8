import { deleteAttachment } from './delete-attachment.ts'
import { getAttachments } from './get-attachments.ts'
import { getTemporaryUrl } from './get-temporary-url.ts'
import { uploadFile } from './upload-file.ts'

export const uploadRoutes = [uploadFile, getTemporaryUrl, getAttachments, deleteAttachment]
