import { Title } from '@mantine/core'
import { useMemo } from 'react'
import { formatCount } from '../../base/format.ts'
import classes from './activity.module.css'
import { countLatencies, countTypes, latencyWithin, type Rate } from './activity-state.ts'

const SHOWN_TYPES = 8

/** What the last two minutes were made of, and how long events were under way. */
export function Breakdown({ rates }: { rates: readonly Rate[] }) {
  const types = useMemo(() => countTypes(rates), [rates])
  const latencies = useMemo(() => countLatencies(rates), [rates])
  const shown = types.slice(0, SHOWN_TYPES)
  const others = types.slice(SHOWN_TYPES).reduce((sum, { count }) => sum + count, 0)
  const half = latencyWithin(latencies, 0.5)
  const most = latencyWithin(latencies, 0.99)
  return (
    <div className={classes.breakdown}>
      <section className={`card ${classes.part}`} aria-labelledby="types-title">
        <div className={classes.partHead}>
          <Title order={2} size={15} id="types-title">
            Events by type
          </Title>
          <span className={classes.note}>last two minutes</span>
        </div>
        {types.length === 0 ? (
          <p className={classes.nothing}>Nothing has happened</p>
        ) : (
          <Bars
            rows={[
              ...shown.map(({ type, count }) => ({ label: type, count })),
              ...(others > 0 ? [{ label: 'all others', count: others }] : []),
            ]}
            color="var(--parley-chart-deliveries)"
          />
        )}
      </section>
      <section className={`card ${classes.part}`} aria-labelledby="latency-title">
        <div className={classes.partHead}>
          <Title order={2} size={15} id="latency-title">
            From commit to queue
          </Title>
          <span className={classes.note}>
            {half === null
              ? 'last two minutes'
              : `half within ${step(half)}, 99 % within ${step(most ?? half)}`}
          </span>
        </div>
        {half === null ? (
          <p className={classes.nothing}>Nothing has happened</p>
        ) : (
          <Bars
            rows={latencies.map(({ upTo, count }, i) => ({
              label:
                upTo === Number.POSITIVE_INFINITY ? `over ${step(latencies[i - 1]?.upTo ?? 0)}` : step(upTo),
              count,
            }))}
            color="var(--parley-chart-messages)"
          />
        )}
      </section>
    </div>
  )
}

const step = (ms: number): string => (ms === Number.POSITIVE_INFINITY ? 'more' : `${formatCount(ms)} ms`)

function Bars({ rows, color }: { rows: readonly { label: string; count: number }[]; color: string }) {
  const longest = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <dl className={classes.bars}>
      {rows.map(({ label, count }) => (
        <div key={label} className={classes.bar}>
          <dt title={label}>{label}</dt>
          <dd>
            <span
              className={classes.fill}
              style={{ width: `${(count / longest) * 100}%`, background: color }}
              hidden={count === 0}
              aria-hidden="true"
            />
            <span className={classes.count}>{formatCount(count)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
