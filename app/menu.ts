import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { ServerStatus } from './ipc.ts'

/** What the menu and the tray can do; both show the same few things. */
export type Actions = {
  open(): void
  reload(): void
  openInBrowser(): void
  openFolder(which: 'data' | 'logs'): void
  startServer(): void
  stopServer(): void
  quit(): void
}

export function isServing({ state }: ServerStatus): boolean {
  return state === 'running' || state === 'starting' || state === 'restarting'
}

export function setAppMenu(status: ServerStatus, actions: Actions): void {
  const separator = { type: 'separator' } as const
  const server: MenuItemConstructorOptions = {
    label: '&Server',
    submenu: [
      {
        label: 'Start',
        enabled: !isServing(status) && status.state !== 'stopping',
        click: actions.startServer,
      },
      { label: 'Stop', enabled: isServing(status), click: actions.stopServer },
      separator,
      { label: 'Open in Browser', enabled: status.state === 'running', click: actions.openInBrowser },
      separator,
      {
        label: 'Open Data Folder',
        enabled: status.dataDir !== undefined,
        click: () => actions.openFolder('data'),
      },
      { label: 'Open Logs', click: () => actions.openFolder('logs') },
      ...(process.platform === 'darwin'
        ? []
        : [separator, { label: 'Quit', accelerator: 'Ctrl+Q', click: actions.quit }]),
    ],
  }
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { label: 'Reload', accelerator: 'CmdOrCtrl+R', click: actions.reload },
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      separator,
      { role: 'toggleDevTools' },
    ],
  }
  const appMenu: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : []
  const help: MenuItemConstructorOptions = {
    role: 'help',
    submenu: [{ label: `About Parley ${app.getVersion()}`, click: () => app.showAboutPanel() }],
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([...appMenu, server, { role: 'editMenu' }, view, { role: 'windowMenu' }, help]),
  )
}
