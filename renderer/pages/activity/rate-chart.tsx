import { Title, useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import { formatRate } from '../../base/format.ts'
import classes from './activity.module.css'
import { chartColumns, KEPT_SECONDS, peakRate, type Rate, recentRate } from './activity-state.ts'

const HEIGHT = 220

/** Messages and deliveries per second, the newest at the right edge. */
export function RateChart({ rates }: { rates: readonly Rate[] }) {
  const columns = useMemo(() => chartColumns(rates), [rates])
  const { holder, hovered } = useChart(columns)
  const [seconds, messages, deliveries] = columns
  const at = hovered === null ? null : seconds[hovered]
  return (
    <>
      <div className={classes.chartHead}>
        <Title order={2} size={15} id="rate-title">
          Messages and deliveries per second
        </Title>
        <div className={classes.legend} aria-hidden="true">
          <span className={classes.when}>{at === null || at === undefined ? 'last second' : ago(at)}</span>
          <Key color="var(--parley-chart-messages)" label="Messages" value={pick(messages, hovered)} />
          <Key color="var(--parley-chart-deliveries)" label="Deliveries" value={pick(deliveries, hovered)} />
        </div>
      </div>
      <div
        ref={holder}
        className={classes.chart}
        role="img"
        aria-label={describe(rates)}
        style={{ height: HEIGHT }}
      />
    </>
  )
}

function Key({ color, label, value }: { color: string; label: string; value: number | null | undefined }) {
  return (
    <span className={classes.key}>
      <span className={classes.swatch} style={{ background: color }} />
      {label}
      <b>{value === null || value === undefined ? '\u2013' : formatRate(value)}</b>
    </span>
  )
}

function pick(values: (number | null | undefined)[], index: number | null): number | null | undefined {
  return index === null ? values.at(-1) : values[index]
}

function ago(second: number): string {
  return second === 0 ? 'last second' : `${-second} s ago`
}

function describe(rates: readonly Rate[]): string {
  const words = (['messages', 'deliveries'] as const).map(
    (of) =>
      `${formatRate(recentRate(rates, of))} ${of} per second now, at most ${formatRate(peakRate(rates, of))}`,
  )
  return `Line chart of the last two minutes: ${words.join('; ')}.`
}

/** Keeps one chart alive: made anew when the colours change, resized with its place, fed with each new second. */
function useChart(columns: uPlot.AlignedData) {
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const [hovered, setHovered] = useState<number | null>(null)
  const scheme = useComputedColorScheme('light')
  const latest = useRef(columns)
  latest.current = columns
  // The colours come from the sheet of the scheme in use, so another scheme means another chart.
  useEffect(() => {
    const place = holder.current
    if (!place) return
    const made = new uPlot(options(place.clientWidth, setHovered, scheme), latest.current, place)
    chart.current = made
    const resizes = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }))
    resizes.observe(place)
    return () => {
      resizes.disconnect()
      made.destroy()
    }
  }, [scheme])
  useEffect(() => chart.current?.setData(columns), [columns])
  return { holder, hovered }
}

function options(width: number, onHover: (index: number | null) => void, scheme: string): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--parley-chart-${name}`).trim()
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const axis: uPlot.Axis = {
    stroke: color('text'),
    font,
    ticks: { show: false },
    grid: { stroke: color('grid'), width: 1 },
  }
  return {
    width,
    height: HEIGHT,
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    hooks: { setCursor: [(self) => onHover(self.cursor.idx ?? null)] },
    scales: {
      x: { time: false, range: () => [1 - KEPT_SECONDS, 0] },
      y: { range: (_self, _min, max) => [0, Math.max(5, (max ?? 0) * 1.12)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: () => [-119, -90, -60, -30, 0],
        values: (_self, splits) => splits.map((at) => (at === 0 ? 'now' : at === -119 ? '' : `${-at} s ago`)),
      },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000], space: 40 },
    ],
    series: [
      {},
      line(color('messages'), scheme === 'dark' ? '26' : '1f'),
      line(color('deliveries'), scheme === 'dark' ? '1c' : '14'),
    ],
  }
}

function line(stroke: string, opacity: string): uPlot.Series {
  return { stroke, width: 2, fill: `${stroke}${opacity}`, points: { show: false }, spanGaps: false }
}
