import { useEffect, useRef } from 'react'

/** `/` puts the cursor into the page's search field, as in many tools; not while one is typing. */
export function useSlashToSearch() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const typing =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [contenteditable], [role=dialog]')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return field
}
