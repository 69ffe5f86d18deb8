import { IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import { CopyButton } from '../../base/copy.tsx'
import { formatClock, formatQuantity } from '../../base/format.ts'
import classes from './activity.module.css'
import type { TailEntry } from './activity-state.ts'
import { summarizeEvent } from './summarize-event.ts'

interface Props {
  entry: TailEntry
  open: boolean
  onToggle: (seq: number) => void
  showRealm: boolean
}

const kinds: Record<string, string> = {
  message: 'talk',
  update_message: 'talk',
  delete_message: 'talk',
  submessage: 'talk',
  reaction: 'reaction',
  realm_user: 'people',
  user_group: 'people',
  presence: 'people',
  user_status: 'people',
  stream: 'place',
  subscription: 'place',
  default_streams: 'place',
}

export const TailRow = memo(function TailRow({ entry, open, onToggle, showRealm }: Props) {
  const detail = `event-${entry.seq}`
  return (
    <li className={classes.entry} data-open={open || undefined}>
      <button
        type="button"
        className={classes.row}
        aria-expanded={open}
        aria-controls={open ? detail : undefined}
        onClick={() => onToggle(entry.seq)}
      >
        <IconChevronRight size={15} className={classes.chevron} aria-hidden="true" />
        <span className={classes.clock}>{formatClock(entry.at)}</span>
        <span className={classes.type} data-kind={kinds[entry.type]}>
          {entry.type}
          {entry.op && <span className={classes.op}>{entry.op}</span>}
        </span>
        <span className={`clip ${classes.summary}`}>
          {showRealm && <span className={classes.realm}>{entry.realm}</span>}
          {summarizeEvent(entry.event)}
        </span>
        <span className={classes.reach}>
          {formatQuantity(entry.recipients, 'user')} · {formatQuantity(entry.queues, 'queue')}
        </span>
      </button>
      {open && <Detail id={detail} event={entry.event} />}
    </li>
  )
})

function Detail({ id, event }: { id: string; event: unknown }) {
  const json = JSON.stringify(event, null, 2)
  return (
    <div className={classes.detail} id={id}>
      {/* What scrolls has to be reachable with the keyboard. */}
      <pre tabIndex={0} role="region" aria-label="The event as JSON">
        {json}
      </pre>
      <span className={classes.copy}>
        <CopyButton value={json} what="event" />
      </span>
    </div>
  )
}
