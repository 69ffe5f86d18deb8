import { formatCount, formatQuantity, formatRate } from '../../base/format.ts'
import classes from './activity.module.css'
import { type ActivityState, peakRate, recentRate } from './activity-state.ts'

export function Tiles({ state }: { state: ActivityState | undefined }) {
  const queues = [...(state?.queues.values() ?? [])]
  const waiting = queues.reduce((sum, queue) => sum + queue.pending, 0)
  const polling = queues.filter((queue) => queue.polling).length
  const rates = state?.rates ?? []
  const known = state !== undefined
  return (
    <dl className={classes.tiles} aria-busy={!known}>
      <Tile
        label="Live queues"
        value={known && formatCount(queues.length)}
        note={`${formatCount(polling)} polling now`}
      />
      <Tile
        label="Waiting events"
        value={known && formatCount(waiting)}
        note={
          waiting === 0
            ? 'all delivered'
            : `in ${formatQuantity(queues.filter((queue) => queue.pending > 0).length, 'queue')}`
        }
      />
      {(['messages', 'events', 'deliveries'] as const).map((of) => (
        <Tile
          key={of}
          label={`${of[0]?.toUpperCase()}${of.slice(1)} / s`}
          value={known && formatRate(recentRate(rates, of))}
          note={`peak ${formatRate(peakRate(rates, of))}`}
        />
      ))}
    </dl>
  )
}

function Tile({ label, value, note }: { label: string; value: string | false; note: string }) {
  return (
    <div className={`card ${classes.tile}`}>
      <dt>{label}</dt>
      <dd className={classes.value}>{value || '\u2013'}</dd>
      <dd className={classes.note}>{value ? note : '\u00a0'}</dd>
    </div>
  )
}
