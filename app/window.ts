// The one window: the admin page while the server runs, the status page while it does not.
import { join } from 'node:path'
import { BrowserWindow, dialog, nativeTheme, screen, session, shell } from 'electron'
import { channelOf, type ServerStatus } from './ipc.ts'
import { statusPageOrigin, statusPageUrl } from './status-page.ts'
import { keepVisible, readWindowState, type WindowState, writeWindowState } from './window-state.ts'

/** How long the admin page may wait for a restarting server before the status page takes over. */
const patienceMilliseconds = 6000

export type MainWindow = {
  /** Brings the window to the front, whether it was hidden, minimised or behind others. */
  focus(): void
  /** Shows what belongs to this status; `adminUrl` while the server runs. */
  follow(status: ServerStatus, adminUrl: string | undefined): void
  /** Signs in anew: what a page cannot do whose session has run out. */
  reload(): void
  /** Whether a page at this address may call the app. */
  trusts(url: string): boolean
  /** From now on closing the window does not ask. */
  letClose(): void
  saveState(): void
  native: BrowserWindow
}

export function openMainWindow(options: {
  stateFile: string
  iconFile: string
  /** Whether there is a server that would go on without the window. */
  isServing(): boolean
  quit(): void
}): MainWindow {
  const state = readWindowState(options.stateFile)
  const screens = screen.getAllDisplays().map((display) => display.workArea)
  const native = new BrowserWindow({
    width: 1280,
    height: 860,
    ...keepVisible(state.bounds, screens),
    minWidth: 420,
    minHeight: 480,
    title: 'Parley',
    icon: options.iconFile,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  })
  if (state.maximized) native.maximize()
  native.once('ready-to-show', () => native.show())

  let adminUrl: string | undefined
  let lastRoute = ''
  let patience: NodeJS.Timeout | undefined
  const isAdminPage = (url: string) => isAdminPageOf(adminUrl, url)
  const trusts = (url: string) => originOf(url) === statusPageOrigin || isAdminPage(url)

  confineNavigation(native, trusts, (url) => originOf(url) === originOf(adminUrl))
  denyPermissions(isAdminPage)
  native.on('page-title-updated', (event, title) => {
    event.preventDefault()
    native.setTitle(
      title && title !== 'Parley' ? `${title.replace(/ [·|–-] Parley$/, '')} – Parley` : 'Parley',
    )
  })

  function load(url: string) {
    // A page that is left while it loads rejects; did-fail-load below is where failures are looked at.
    native.loadURL(url).catch(() => {})
  }

  native.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame && isAdminPage(url)) lastRoute = new URL(url).hash
  })
  // The server said it is ready, so this is a passing trouble.
  native.webContents.on('did-fail-load', (_event, code, _text, url, isMainFrame) => {
    const aborted = code === -3
    if (!aborted && isMainFrame && adminUrl && isAdminPage(url))
      setTimeout(() => adminUrl && load(adminUrl), 1000)
  })
  native.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') load(adminUrl ?? statusPageUrl)
  })

  let closing = false
  native.on('close', (event) => {
    saveState()
    if (closing) return
    event.preventDefault()
    if (!options.isServing()) options.quit()
    else if (!state.onClose) void askWhatClosingMeans(native, state, options.quit)
    else if (state.onClose === 'quit') options.quit()
    else native.hide()
  })

  function saveState() {
    if (native.isDestroyed()) return
    state.bounds = native.getNormalBounds()
    state.maximized = native.isMaximized()
    writeWindowState(options.stateFile, state)
  }

  return {
    native,
    trusts,
    saveState,
    letClose: () => {
      closing = true
    },
    focus() {
      if (native.isMinimized()) native.restore()
      native.show()
      native.focus()
    },
    reload() {
      if (adminUrl) void openAdminPage(adminUrl)
      else load(statusPageUrl)
    },
    follow(status, newAdminUrl) {
      native.webContents.send(channelOf('status'), status)
      clearTimeout(patience)
      const shown = native.webContents.getURL()
      if (newAdminUrl) {
        const stays = isAdminPageOf(newAdminUrl, shown)
        adminUrl = newAdminUrl
        if (!stays) void openAdminPage(newAdminUrl)
      } else if (isAdminPage(shown) && (status.state === 'restarting' || status.state === 'starting')) {
        // The page itself says that it waits, and keeps what is being typed; if it takes long we say more.
        patience = setTimeout(() => load(statusPageUrl), patienceMilliseconds)
      } else if (originOf(shown) !== statusPageOrigin) {
        load(statusPageUrl)
      }
    },
  }

  /** Signs in with the token and goes on where the person was. */
  async function openAdminPage(url: string) {
    const route = lastRoute
    await native.loadURL(url).catch(() => {})
    if (!route || native.isDestroyed() || !isAdminPage(native.webContents.getURL())) return
    await native.webContents.executeJavaScript(`location.hash = ${JSON.stringify(route)}`)
  }
}

function originOf(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, host } = new URL(url)
  // URL.origin is "null" for schemes it does not know, and ours is one.
  return `${protocol}//${host}`
}

/** Uploads are served from the same origin, so the path counts too. */
function isAdminPageOf(adminUrl: string | undefined, url: string): boolean {
  if (originOf(url) !== originOf(adminUrl) || adminUrl === undefined) return false
  return new URL(url).pathname.startsWith('/admin/')
}

/** The window never leaves its two pages; links to the rest of the server and to the web open in the browser. */
function confineNavigation(
  native: BrowserWindow,
  mayStay: (url: string) => boolean,
  isOwnServer: (url: string) => boolean,
) {
  const contents = native.webContents
  const openOutside = (url: string) => {
    if (url.startsWith('https://') || isOwnServer(url)) void shell.openExternal(url)
  }
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  contents.on('will-navigate', (event) => {
    if (mayStay(event.url)) return
    event.preventDefault()
    openOutside(event.url)
  })
  contents.on('will-redirect', (event) => {
    if (!mayStay(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** All but one: the page's copy buttons write to the clipboard. */
function denyPermissions(isAdminPage: (url: string) => boolean) {
  const allowed = (permission: string, url: string) =>
    permission === 'clipboard-sanitized-write' && isAdminPage(url)
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(allowed(permission, requestingUrl)),
  )
  session.defaultSession.setPermissionCheckHandler((contents, permission) =>
    allowed(permission, contents?.getURL() ?? ''),
  )
}

/** A server that ends because somebody closed a window would surprise a whole office, so the first time we ask. */
async function askWhatClosingMeans(native: BrowserWindow, state: WindowState, quit: () => void) {
  const { response, checkboxChecked } = await dialog.showMessageBox(native, {
    type: 'question',
    message: 'Keep the chat server running?',
    detail: 'Without its window Parley goes on serving. Start Parley again to see the window.',
    buttons: ['Keep running', 'Quit Parley', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: 'Do this each time',
  })
  if (response === 2) return
  const choice = response === 0 ? 'hide' : 'quit'
  if (checkboxChecked) state.onClose = choice
  if (choice === 'hide') native.hide()
  else quit()
}
