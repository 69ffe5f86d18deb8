import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { notifyFailure } from './notify.tsx'
import classes from './ordered-list.module.css'

interface Props<Item> {
  label: string
  items: readonly Item[]
  idOf: (item: Item) => number
  nameOf: (item: Item) => string
  /** Resolves when the new order is known to the server. */
  onOrder: (ids: number[]) => Promise<unknown>
  children: (item: Item) => ReactNode
  /** More buttons at the end of a row. */
  actions: (item: Item) => ReactNode
}

/** A list in an order that people choose, one step at a time: with a mouse, a finger or the keyboard alike. */
export function OrderedList<Item>({ label, items, idOf, nameOf, onOrder, children, actions }: Props<Item>) {
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  // Until the server has told of it the list shows what was asked for.
  const [asked, setAsked] = useState<number[] | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const focus = useRef<string>(null)
  useEffect(() => setAsked(null), [items])
  useEffect(() => {
    // A row that moves takes its buttons out of the page for a moment, and with them the focus.
    const button = focus.current === null ? null : list.current?.querySelector(focus.current)
    focus.current = null
    if (button instanceof HTMLElement) button.focus()
  })
  const shown = asked
    ? asked.map((id) => items.find((item) => idOf(item) === id)).filter((item) => item !== undefined)
    : items
  const move = async (from: number, to: number) => {
    const moved = shown[from]
    if (busy || !moved) return
    const ids = shown.map(idOf)
    ids.splice(to, 0, ...ids.splice(from, 1))
    const atEnd = to === 0 ? 'down' : to === ids.length - 1 ? 'up' : from > to ? 'up' : 'down'
    focus.current = `[data-move="${idOf(moved)} ${atEnd}"]`
    setAsked(ids)
    setBusy(true)
    try {
      await onOrder(ids)
      setSaid(`${nameOf(moved)} is number ${to + 1} of ${ids.length} now.`)
    } catch (error) {
      setAsked(null)
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const mover = (item: Item, index: number, to: number, way: 'up' | 'down') => (
    <Tooltip label={`Move ${way}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${nameOf(item)} ${way}`}
        data-move={`${idOf(item)} ${way}`}
        disabled={to < 0 || to >= shown.length}
        onClick={() => void move(index, to)}
      >
        {way === 'up' ? <IconArrowUp size={17} /> : <IconArrowDown size={17} />}
      </ActionIcon>
    </Tooltip>
  )
  return (
    <>
      <ol className={classes.list} aria-label={label} ref={list}>
        {shown.map((item, index) => (
          <li key={idOf(item)} className={classes.row}>
            <div className={classes.words}>{children(item)}</div>
            <div className={classes.buttons}>
              {mover(item, index, index - 1, 'up')}
              {mover(item, index, index + 1, 'down')}
              {actions(item)}
            </div>
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}
