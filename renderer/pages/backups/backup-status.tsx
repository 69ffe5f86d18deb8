import { Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Backups } from '../../api.ts'
import { formatBytes, formatQuantity } from '../../base/format.ts'
import { Ago } from '../../base/time.tsx'
import classes from './backups.module.css'

/** When the last backup was, what is kept, and how far the one is that is being made. */
export function BackupStatus({ backups }: { backups: Backups }) {
  const { last, automatic, running } = backups
  return (
    <section className={`card ${classes.status}`} aria-label="State of the backups">
      <Fact label="Last backup">
        {last === null && 'None since the server started'}
        {last?.ok && <Ago since={last.at} />}
        {last?.ok === false && (
          <span className={classes.bad}>
            Failed <Ago since={last.at} />: {last.error}
          </span>
        )}
      </Fact>
      <Fact label="Automatic backups">
        {automatic.daily + automatic.weekly === 0
          ? 'Switched off'
          : `Every day; those of ${formatQuantity(automatic.daily, 'day')} and ${formatQuantity(automatic.weekly, 'week')} are kept`}
      </Fact>
      {running && (
        <div className={classes.running} role="status">
          <Text size="sm" mb={6}>
            {running.what === 'backup' ? 'Making' : 'Restoring'} {running.name} · {formatBytes(running.done)}{' '}
            of {formatBytes(running.total)}
          </Text>
          <Progress
            value={running.total === 0 ? 0 : (100 * running.done) / running.total}
            aria-label={running.what === 'backup' ? 'Backup' : 'Restore'}
            animated
          />
        </div>
      )}
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div>{children}</div>
    </div>
  )
}
