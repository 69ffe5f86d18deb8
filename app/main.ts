// The desktop app, in the order in which it starts.
import { join } from 'node:path'
import { app, ipcMain, powerMonitor, shell } from 'electron'
import { pickServerArguments } from './arguments.ts'
import { answerCall, type CallName, calls, channelOf, type Handlers } from './ipc.ts'
import { type Actions, isServing, setAppMenu } from './menu.ts'
import { createServerHost } from './server-host.ts'
import { registerStatusScheme, serveStatusPage } from './status-page.ts'
import { createSupervisor } from './supervisor.ts'
import { createTray, type ServerTray } from './tray.ts'
import { type MainWindow, openMainWindow } from './window.ts'

// Beside the server's data folder and not in it: a copied data folder should not carry a browser's caches.
const profile =
  app.commandLine.getSwitchValue('user-data-dir') || join(app.getPath('appData'), 'parley-desktop')
app.setPath('userData', profile)
app.setName('Parley')
app.setAppUserModelId('local.parley.desktop')

if (app.requestSingleInstanceLock()) startApp()
else app.quit()

function startApp(): void {
  const logDir = join(profile, 'logs')
  const iconDir = join(import.meta.dirname, 'icons')
  const host = createServerHost(pickServerArguments(process.argv), logDir)
  const supervisor = createSupervisor({ launch: host.launch, onChange: showStatus })
  let window: MainWindow | undefined
  let tray: ServerTray | undefined

  const actions: Actions = {
    open: () => window?.focus(),
    reload: () => window?.reload(),
    openInBrowser: () => void openExternal(supervisor.adminUrl()),
    openFolder: (which) => void openFolder(which),
    startServer: supervisor.start,
    stopServer: () => void supervisor.stop(),
    quit: () => app.quit(),
  }
  const handlers: Handlers = {
    getStatus: supervisor.status,
    startServer: supervisor.start,
    stopServer: supervisor.stop,
    openFolder,
    openInBrowser: () => openExternal(supervisor.adminUrl()),
  }

  registerStatusScheme()
  app.on('second-instance', () => window?.focus())
  app.on('activate', () => window?.focus())
  drainBeforeQuit()

  void app.whenReady().then(() => {
    serveStatusPage()
    answerCalls()
    supervisor.start()
    window = openMainWindow({
      stateFile: join(profile, 'window.json'),
      iconFile: join(iconDir, '256.png'),
      isServing: () => isServing(supervisor.status()),
      quit: actions.quit,
    })
    // Windows logs off without before-quit and without waiting: what can be done is to ask at once.
    window.native.on('session-end', () => supervisor.requestStop())
    powerMonitor.on('shutdown', () => app.quit())
    tray = createTray(iconDir, actions)
    showStatus()
  })

  function showStatus() {
    const status = supervisor.status()
    window?.follow(status, supervisor.adminUrl())
    tray?.follow(status)
    if (app.isReady()) setAppMenu(status, actions)
  }

  function answerCalls() {
    for (const name of Object.keys(calls) as CallName[]) {
      ipcMain.handle(channelOf(name), ({ senderFrame }, ...given) => {
        const trusted = senderFrame && senderFrame.parent === null && window?.trusts(senderFrame.url)
        if (!trusted) throw new Error(`${name}: not allowed from ${senderFrame?.url ?? 'a closed page'}`)
        return answerCall(handlers, name, given)
      })
    }
  }

  async function openFolder(which: 'data' | 'logs') {
    const folder = which === 'logs' ? logDir : supervisor.status().dataDir
    if (!folder) throw new Error('The data folder is not known before the server has run.')
    const refusal = await shell.openPath(folder)
    if (refusal) throw new Error(refusal)
  }

  function drainBeforeQuit() {
    let drained = false
    app.on('before-quit', (event) => {
      if (drained) return
      event.preventDefault()
      void supervisor.stop().then(() => {
        drained = true
        window?.saveState()
        window?.letClose()
        app.quit()
      })
    })
  }
}

async function openExternal(url: string | undefined) {
  if (!url) throw new Error('The server is not running.')
  await shell.openExternal(url)
}
