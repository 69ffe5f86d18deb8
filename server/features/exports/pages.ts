/** The files of exports. */
import { NotFoundError } from '../../http/errors.ts'
import type { Page } from '../../http/define-page.ts'
import { sameSecret } from '../../services/passwords.ts'
import { exportById, isReady } from './store.ts'

/** Only administrators are told this address; the secret in it is the permission, so that a browser can fetch it. */
const exportFile: Page = {
  path: /^\/exports\/(\d+)\/([\w-]+)$/,
  run: ({ db, realm, server }, _me, [id, token = '']) => {
    const row = exportById(db, Number(id))
    if (!row || !isReady(row) || !sameSecret(token, row.token) || realm.isDeactivated) {
      throw new NotFoundError('There is no such export')
    }
    return {
      file: server.exports.file(row),
      name: `${realm.stringId}-export-${row.id}.zip`,
      contentType: 'application/zip',
      cacheSeconds: 0,
    }
  },
}

export const exportPages = [exportFile]
