import { ActionIcon, Box, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './copy.module.css'
import { notifyFailure } from './notify.tsx'

/** Plain http on a LAN address is no secure context, and there the modern clipboard is missing. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.style.cssText = 'position:fixed;opacity:0'
  // Inside an open dialog, so that its focus trap does not take the focus back.
  const holder = document.activeElement?.closest('[role=dialog]') ?? document.body
  const focused = document.activeElement
  holder.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!done) throw new Error('This browser did not let the page copy. Select the text and copy it by hand.')
}

export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), 1800)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (text: string) => void copyText(text).then(() => setCopied((n) => n + 1), notifyFailure)
  return { copied: copied > 0, copy }
}

interface CopyButtonProps {
  value: string
  /** What is copied, for the label: "address", "API key". */
  what: string
}

export function CopyButton({ value, what }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${what}`} openDelay={copied ? 0 : 250}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="md"
        aria-label={`Copy ${what}`}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size={16} color="var(--parley-good)" /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** A value that people copy, in a frame of its own, with the button that does it. */
export function CopyField({ value, what, label }: CopyButtonProps & { label?: string }) {
  return (
    <Box>
      {label && (
        <Text size="sm" fw={500} mb={4}>
          {label}
        </Text>
      )}
      <div className={classes.field}>
        <code className={classes.value}>{value}</code>
        <CopyButton value={value} what={what} />
      </div>
    </Box>
  )
}
