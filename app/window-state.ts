// Where the window was, kept between starts.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
export type Bounds = z.infer<typeof Bounds>

const WindowState = z.object({
  bounds: z.optional(Bounds),
  maximized: z._default(z.boolean(), false),
  /** What closing the window means; unset until the person was asked. */
  onClose: z.optional(z.enum(['hide', 'quit'])),
})
export type WindowState = z.infer<typeof WindowState>

/** A missing or damaged file is no reason not to open a window. */
export function readWindowState(file: string): WindowState {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { maximized: false }
  }
}

export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** Keeps bounds only where enough of the window can be seen: screens come and go between two starts. */
export function keepVisible(bounds: Bounds | undefined, screens: Bounds[]): Bounds | undefined {
  if (!bounds) return undefined
  const reachable = screens.some((screen) => {
    const width = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x)
    const titleBarInside = bounds.y >= screen.y && bounds.y < screen.y + screen.height - 40
    return width >= 120 && titleBarInside
  })
  return reachable ? bounds : undefined
}
