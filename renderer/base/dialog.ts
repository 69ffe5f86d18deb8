// Dialogs one after the other, and the focus back to where the first of them came from.

import { modals } from '@mantine/modals'

type Settings = Parameters<typeof modals.open>[0]

let origin: HTMLElement | null = null
let next: (() => void) | null = null
let opened = 0

/**
 * Opens a dialog. Where one is still there, it waits for that one to close: only a dialog that opens afresh takes the
 * focus. When the last is closed, the focus goes back to what had it, or to the button of the menu that the dialog
 * was chosen from, or to the page's title where neither is left.
 * @returns the dialog's id, for `modals.close`
 */
export function openDialog(settings: Settings): string {
  const modalId = `dialog-${++opened}`
  const open = () =>
    modals.open({ ...settings, modalId, returnFocus: false, onExitTransitionEnd: afterClose })
  if (isDialogShown()) {
    next = open
    // An API key that is shown once must be shown, also should the one before be gone without its farewell.
    setTimeout(() => isDialogShown() || openNext(), 1000)
  } else {
    origin = ownerOf(document.activeElement)
    open()
  }
  return modalId
}

function isDialogShown(): boolean {
  return document.querySelector('[role=dialog][aria-modal]') !== null
}

function ownerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest('[role=menu]')
  const owner = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return owner instanceof HTMLElement && owner !== document.body ? owner : null
}

function openNext(): boolean {
  const open = next
  next = null
  open?.()
  return open !== null
}

function afterClose(): void {
  // The closed one leaves the page first.
  if (next) return void setTimeout(openNext)
  ;(origin?.isConnected ? origin : title())?.focus({ preventScroll: true })
  // What was done in the dialog may take away the row that it was opened from, a moment later.
  setTimeout(() => {
    if (document.activeElement === document.body) title()?.focus({ preventScroll: true })
  }, 600)
}

function title(): HTMLElement | null {
  return document.querySelector('h1')
}
