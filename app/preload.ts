import { contextBridge, ipcRenderer } from 'electron'
import { type CallName, calls, channelOf, type Desktop, type EventName, events } from './ipc.ts'

const invokers = Object.fromEntries(
  (Object.keys(calls) as CallName[]).map((name) => [
    name,
    (...args: unknown[]) => ipcRenderer.invoke(channelOf(name), ...args),
  ]),
)

function on(name: EventName, listener: (value: unknown) => void): () => void {
  if (!Object.hasOwn(events, name)) throw new TypeError(`no event ${String(name)}`)
  // The event object stays here: it carries the sender, which no page should hold.
  const forward = (_event: unknown, value: unknown) => listener(value)
  ipcRenderer.on(channelOf(name), forward)
  return () => ipcRenderer.off(channelOf(name), forward)
}

contextBridge.exposeInMainWorld('desktop', { ...invokers, on } as unknown as Desktop)
