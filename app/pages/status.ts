// What the window shows while no server answers: what is going on, why, and what can be done about it.
import type { Desktop, ServerStatus } from '../ipc.ts'

const { desktop } = window as unknown as { desktop: Desktop }

const titles: Record<ServerStatus['state'], string> = {
  starting: 'Starting the server',
  running: 'The server is running',
  restarting: 'The server is being started again',
  stopping: 'Stopping the server',
  stopped: 'The server is stopped',
  failed: 'The server cannot start',
}

const details: Record<ServerStatus['state'], string> = {
  starting: 'This takes a moment.',
  running: 'Opening the admin page.',
  restarting: '',
  stopping: 'Requests that were accepted are answered, and everything is written to disk.',
  stopped: 'Nobody can reach this chat until it is started again. All messages are kept.',
  failed: '',
}

function show(status: ServerStatus) {
  const { state, problem } = status
  document.body.dataset.state = state
  toggle(document.body, 'busy', state !== 'stopped' && state !== 'failed')
  toggle(document.body, 'said', problem !== undefined)
  element('title').textContent = problem?.title ?? titles[state]
  element('detail').textContent = problem?.detail ?? details[state]
  element('advice').textContent =
    problem?.advice ?? (state === 'restarting' ? 'It is being started again. No message is lost.' : '')
  element('start').textContent = state === 'failed' ? 'Try again' : 'Start the server'
  element('start').hidden = state !== 'stopped' && state !== 'failed'
  element('stop').hidden = state !== 'restarting'
  element('data').hidden = status.dataDir === undefined || (state !== 'failed' && state !== 'stopped')
  element('logs').hidden = problem === undefined
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id} in status.html`)
  return found
}

function toggle(target: HTMLElement, name: string, on: boolean) {
  if (on) target.dataset[name] = ''
  else delete target.dataset[name]
}

function onClick(id: string, call: () => Promise<void>) {
  element(id).addEventListener('click', () => {
    element('refusal').hidden = true
    call().catch((error: unknown) => {
      element('refusal').textContent = error instanceof Error ? error.message : String(error)
      element('refusal').hidden = false
    })
  })
}

onClick('start', () => desktop.startServer())
onClick('stop', () => desktop.stopServer())
onClick('data', () => desktop.openFolder('data'))
onClick('logs', () => desktop.openFolder('logs'))

desktop.on('status', show)
void desktop.getStatus().then(show)
