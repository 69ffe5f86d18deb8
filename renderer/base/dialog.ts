import { modals } from '@mantine/modals'

type Settings = Parameters<typeof modals.open>[0]

let origin: HTMLElement | null = null

/**
 * Opens a dialog, and gives the focus back when it closes: to what had it before, or to the button of the menu that
 * the dialog was chosen from, or to the page's title where neither is left.
 * @returns the dialog's id, for `modals.close`
 */
export function openDialog(settings: Settings): string {
  const active = document.activeElement
  // One dialog may lead to the next; the way back is then to where the first came from.
  if (!active?.closest('[role=dialog]')) origin = ownerOf(active)
  return modals.open({ ...settings, returnFocus: false, onExitTransitionEnd: goBack })
}

function ownerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest('[role=menu]')
  const owner = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return owner instanceof HTMLElement ? owner : null
}

function goBack(): void {
  if (document.querySelector('[role=dialog]')) return
  const to = origin?.isConnected && origin !== document.body ? origin : document.querySelector('h1')
  to?.focus({ preventScroll: true })
}
