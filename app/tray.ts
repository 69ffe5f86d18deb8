import { join } from 'node:path'
import { Menu, nativeImage, Tray } from 'electron'
import type { ServerStatus } from './ipc.ts'
import { type Actions, isServing } from './menu.ts'

export type ServerTray = { follow(status: ServerStatus): void }

const stateWords: Record<ServerStatus['state'], string> = {
  starting: 'starting …',
  running: 'running',
  restarting: 'starting again …',
  stopping: 'stopping …',
  stopped: 'stopped',
  failed: 'cannot start',
}

export function createTray(iconDir: string, actions: Actions): ServerTray {
  // macOS colours the icon itself, and needs a black one for that.
  const name = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'
  const tray = new Tray(nativeImage.createFromPath(join(iconDir, name)))
  tray.on('click', actions.open)
  return {
    follow(status) {
      const words = `Parley: ${stateWords[status.state]}`
      tray.setToolTip(words)
      // Linux shows changes only where the whole menu is set again.
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: words, enabled: false },
          { type: 'separator' },
          { label: 'Open Parley', click: actions.open },
          isServing(status)
            ? { label: 'Stop Server', click: actions.stopServer }
            : {
                label: 'Start Server',
                enabled: status.state !== 'stopping',
                click: actions.startServer,
              },
          { type: 'separator' },
          { label: 'Quit', click: actions.quit },
        ]),
      )
    },
  }
}
