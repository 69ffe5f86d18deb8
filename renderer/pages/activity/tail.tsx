import { Button, Group, MultiSelect, Select, Text, Title } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconTimeline } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { formatCount, formatQuantity } from '../../base/format.ts'
import { Empty, TableSkeleton } from '../../base/states.tsx'
import classes from './activity.module.css'
import { personKey, selectEntries, type TailEntry, type TailFilter } from './activity-state.ts'
import { TailRow } from './tail-row.tsx'

interface Props {
  tail: readonly TailEntry[] | undefined
  people: ReadonlyMap<string, string>
  showRealm: boolean
}

const SHOWN = 200
const everything: TailFilter = { types: [], user: null }

export function Tail({ tail, people, showRealm }: Props) {
  const [filter, setFilter] = useState(everything)
  const [frozen, setFrozen] = useState<readonly TailEntry[] | null>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const source = frozen ?? tail
  const entries = useMemo(() => selectEntries(source ?? [], filter, SHOWN), [source, filter])
  const missed = frozen && tail ? Math.max(0, (tail.at(-1)?.seq ?? 0) - (frozen.at(-1)?.seq ?? 0)) : 0
  const toggle = (seq: number) => {
    const next = new Set(open)
    if (!next.delete(seq)) {
      next.add(seq)
      // Reading one event while the list runs away under it is no fun.
      setFrozen((before) => before ?? tail ?? null)
    }
    setOpen(next)
  }
  const resume = () => {
    setFrozen(null)
    setOpen(new Set())
  }
  return (
    <section className={`card ${classes.block}`} aria-labelledby="tail-title">
      <Group className={classes.head} gap="sm">
        <div className={classes.grow}>
          <Title order={2} size={15} id="tail-title">
            Live events
          </Title>
          <Text size="xs" c="dimmed">
            What people wrote is left out
          </Text>
        </div>
        <TailFilters source={source ?? []} people={people} filter={filter} onChange={setFilter} />
        {frozen ? (
          <Button
            size="sm"
            miw={148}
            leftSection={<IconPlayerPlay size={16} />}
            onClick={resume}
            className="numeric"
          >
            Resume{missed > 0 && ` (${formatCount(missed)} new)`}
          </Button>
        ) : (
          <Button
            size="sm"
            miw={148}
            variant="default"
            leftSection={<IconPlayerPause size={16} />}
            onClick={() => setFrozen(tail ?? [])}
          >
            Pause
          </Button>
        )}
      </Group>
      {!tail && <TableSkeleton label="Loading events" rows={4} />}
      {tail && entries.length === 0 && (
        <Empty icon={<IconTimeline size={24} />} title={source?.length ? 'No event matches' : 'No event yet'}>
          {source?.length
            ? 'None of the events kept here fits the filters. New ones that do will appear.'
            : 'Each message, reaction or change that the server tells its clients will appear here.'}
        </Empty>
      )}
      {entries.length > 0 && (
        <ul
          className={classes.tail}
          aria-label={`Events, newest first: ${formatQuantity(entries.length, 'entry', 'entries')}`}
        >
          {entries.map((entry) => (
            <TailRow
              key={entry.seq}
              entry={entry}
              open={open.has(entry.seq)}
              onToggle={toggle}
              showRealm={showRealm}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface FiltersProps {
  source: readonly TailEntry[]
  people: ReadonlyMap<string, string>
  filter: TailFilter
  onChange: (filter: TailFilter) => void
}

function TailFilters({ source, people, filter, onChange }: FiltersProps) {
  const types = useStable(
    useMemo(
      () => [...new Set([...source.map(({ type }) => type), ...filter.types])].sort(),
      [source, filter.types],
    ),
  )
  const users = useStable(
    useMemo(() => {
      const keys = new Set(
        source.flatMap(({ realm, user_ids }) => user_ids.map((id) => personKey(realm, id))),
      )
      if (filter.user) keys.add(filter.user)
      return [...keys]
        .map((key) => ({ value: key, label: people.get(key) ?? `User ${key.split(':')[1]}` }))
        .sort((a, b) => a.label.localeCompare(b.label))
    }, [source, people, filter.user]),
  )
  return (
    <>
      <MultiSelect
        w={{ base: '100%', xs: 210 }}
        aria-label="Filter events by type"
        placeholder={filter.types.length === 0 ? 'Any type' : undefined}
        data={types}
        value={filter.types}
        onChange={(chosen) => onChange({ ...filter, types: chosen })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any type' }}
        nothingFoundMessage="No such type so far"
        comboboxProps={{ shadow: 'md' }}
      />
      <Select
        w={{ base: '100%', xs: 190 }}
        aria-label="Filter events by user"
        placeholder="Any user"
        data={users}
        value={filter.user}
        onChange={(user) => onChange({ ...filter, user })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any user' }}
        nothingFoundMessage="Nobody of this name so far"
        comboboxProps={{ shadow: 'md' }}
      />
    </>
  )
}

/** The same list object for as long as its content is the same, so that an open menu is left alone. */
function useStable<T>(value: T): T {
  const text = JSON.stringify(value)
  // Compared by content on purpose.
  return useMemo(() => JSON.parse(text) as T, [text])
}
