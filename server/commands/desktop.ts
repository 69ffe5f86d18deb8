/** The desktop app as its server sees it: the other end of a port for messages. */
import { setTimeout as sleep } from 'node:timers/promises'

interface ParentPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

/** Present in Electron's utility process only. */
const { parentPort } = process as { parentPort?: ParentPort }

/** Windows has no SIGTERM: the app asks for a clean stop with a message. */
export function onDesktopStop(stop: () => void): void {
  parentPort?.on('message', ({ data }) => {
    if (data === 'stop') stop()
  })
}

/** Why this process is about to end. What is still in the pipes then may be lost, so the app says that it has heard. */
export async function tellDesktop(lastWords: string): Promise<void> {
  if (!parentPort) return
  const heard = new Promise<void>((resolve) => {
    parentPort.on('message', ({ data }) => {
      if (data === 'heard') resolve()
    })
  })
  parentPort.postMessage({ lastWords })
  await Promise.race([heard, sleep(5000)])
}
