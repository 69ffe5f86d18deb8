// The desktop window's few calls, where there is one; a plain browser has no `window.desktop`.

import { useEffect, useState } from 'react'
import type { Desktop, ServerStatus } from '../../app/ipc.ts'

declare global {
  interface Window {
    desktop?: Desktop
  }
}

export function desktop(): Desktop | undefined {
  return window.desktop
}

/** What the app says of its server; null in a browser, where nobody but the server itself could say. */
export function useDesktopStatus(): ServerStatus | null {
  const [status, setStatus] = useState<ServerStatus | null>(null)
  useEffect(() => {
    const app = desktop()
    if (!app) return
    const stop = app.on('status', setStatus)
    app.getStatus().then(setStatus, () => undefined)
    return stop
  }, [])
  return status
}
