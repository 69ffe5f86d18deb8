import { Loader, Text } from '@mantine/core'
import { IconCheck, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Saved } from './use-saved.ts'
import classes from './settings.module.css'

interface Props {
  id: string
  label: string
  description?: string | undefined
  /** Why it cannot be changed here. */
  locked?: string | undefined
  saved?: Pick<Saved<unknown>, 'state' | 'error'>
  /** The control is small, and stays beside the words on a phone too. */
  small?: boolean
  children: ReactNode
}

/** One setting: its words, its control, and how saving it went. */
export function SettingRow({ id, label, description, locked, saved, small = false, children }: Props) {
  return (
    <div className={classes.row} data-small={small || undefined}>
      <div className={classes.words}>
        <label className={classes.label} htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        <span className={classes.state} role="status">
          {saved?.state === 'saving' && <Loader size={12} aria-label="Saving" />}
          {saved?.state === 'saved' && (
            <>
              <IconCheck size={14} aria-hidden="true" /> Saved
            </>
          )}
        </span>
        <div id={`${id}-description`}>
          {description && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
          {locked && (
            <Text size="xs" c="dimmed" className={classes.locked}>
              <IconLock size={13} aria-hidden="true" /> {locked}
            </Text>
          )}
        </div>
        {saved?.error && (
          <Text size="xs" c="var(--parley-bad)" role="alert" mt={2}>
            {saved.error}
          </Text>
        )}
      </div>
      <div className={classes.control}>{children}</div>
    </div>
  )
}
