import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import classes from './file-drop.module.css'

interface Props {
  /** What happens on dropping: "Drop pictures to make them emoji". */
  label: string
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A place that files can be dropped on. It is beside a button, never instead of one: not everybody can drag. */
export function FileDrop({ label, onFiles, children }: Props) {
  // Entering a child comes before leaving its parent: the zone is left when the counts are even.
  const [depth, setDepth] = useState(0)
  useEffect(refuseElsewhere, [])
  const step = (by: number) => (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setDepth((count) => Math.max(0, count + by))
  }
  return (
    <div
      className={classes.zone}
      onDragEnter={step(1)}
      onDragLeave={step(-1)}
      onDragOver={step(0)}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        // A dialog is a child of the page it was opened from: what it takes is not the page's too.
        event.stopPropagation()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {depth > 0 && (
        <div className={classes.over} aria-hidden="true">
          <IconUpload size={22} />
          {label}
        </div>
      )}
    </div>
  )
}

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }): boolean =>
  dataTransfer?.types.includes('Files') ?? false

/** A file that misses the zone must not take the place of the page. */
function refuseElsewhere(): () => void {
  const refuse = (event: globalThis.DragEvent) => {
    if (hasFiles(event)) event.preventDefault()
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
  return () => {
    window.removeEventListener('dragover', refuse)
    window.removeEventListener('drop', refuse)
  }
}
