import { formatAgo, formatDuration, formatMoment } from './format.ts'
import { useNow } from './use-now.ts'

interface Props {
  /** UNIX seconds */
  since: number
}

/** `5 s ago`, ticking; the full moment on hover. */
export function Ago({ since }: Props) {
  return (
    <time className="numeric" dateTime={iso(since)} title={formatMoment(since)}>
      {formatAgo(since, useNow())}
    </time>
  )
}

/** `3 min 5 s`, ticking. */
export function Age({ since }: Props) {
  return (
    <time className="numeric" dateTime={iso(since)} title={`Since ${formatMoment(since)}`}>
      {formatDuration(useNow() - since)}
    </time>
  )
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
