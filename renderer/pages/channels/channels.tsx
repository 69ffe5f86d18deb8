import { Button, Group, SegmentedControl, Select } from '@mantine/core'
import { IconHash, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatQuantity } from '../../base/format.ts'
import { Page } from '../../base/page.tsx'
import { Search } from '../../base/search.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import type { RealmState } from '../../live.ts'
import { ChannelTable } from './channel-table.tsx'
import { openCreateChannel } from './create-channel.tsx'
import { type ChannelFilter, type ChannelOrder, type Privacy, selectChannels } from './select-channels.ts'

const everything: ChannelFilter = { search: '', privacy: null, archived: false }

export function Channels() {
  const { client, state, problem, retry } = useRealmLive()
  const [filter, setFilter] = useState(everything)
  const [order, setOrder] = useState<ChannelOrder>({ columnAccessor: 'name', direction: 'asc' })
  const channels = state?.channels
  const shown = useMemo(
    () => selectChannels(channels?.values() ?? [], filter, order),
    [channels, filter, order],
  )
  const create = state && (() => openCreateChannel(client, state))
  return (
    <Page
      title="Channels"
      description={channels ? formatQuantity(openOnes(channels), 'open channel') : '\u00a0'}
      actions={
        <Button leftSection={<IconPlus size={17} />} onClick={create} disabled={!create}>
          Create channel
        </Button>
      }
    >
      <Filters filter={filter} onChange={setFilter} />
      <div className="card">
        {!channels && problem && (
          <Failure title="The channels could not be loaded" error={problem} onRetry={retry} />
        )}
        {!channels && !problem && <TableSkeleton label="Loading channels" />}
        {channels && shown.length === 0 && (
          <None
            filter={filter}
            any={openOnes(channels) > 0}
            reset={() => setFilter(everything)}
            create={create}
          />
        )}
        {channels && shown.length > 0 && (
          <ChannelTable key={JSON.stringify(filter)} channels={shown} order={order} onOrder={setOrder} />
        )}
      </div>
    </Page>
  )
}

function openOnes(channels: RealmState['channels']): number {
  return [...channels.values()].filter((channel) => !channel.is_archived).length
}

function Filters({ filter, onChange }: { filter: ChannelFilter; onChange: (filter: ChannelFilter) => void }) {
  return (
    <Group gap="sm" mb="md">
      <Search
        label="Search channels"
        placeholder="Search by name or description"
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <Select
        w={{ base: '100%', xs: 180 }}
        aria-label="Filter by privacy"
        placeholder="Any privacy"
        data={[
          { value: 'public', label: 'Public' },
          { value: 'private', label: 'Private' },
          { value: 'web-public', label: 'Web-public' },
        ]}
        value={filter.privacy}
        onChange={(privacy) => onChange({ ...filter, privacy: privacy as Privacy | null })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any privacy' }}
        comboboxProps={{ shadow: 'md' }}
      />
      <SegmentedControl
        ml={{ md: 'auto' }}
        w={{ base: '100%', xs: 'auto' }}
        aria-label="Which channels"
        value={filter.archived ? 'archived' : 'open'}
        onChange={(which) => onChange({ ...filter, archived: which === 'archived' })}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'archived', label: 'Archived' },
        ]}
      />
    </Group>
  )
}

interface NoneProps {
  filter: ChannelFilter
  any: boolean
  reset: () => void
  create: (() => void) | undefined
}

function None({ filter, any, reset, create }: NoneProps) {
  const filtered = filter.search !== '' || filter.privacy !== null
  if (filter.archived && !filtered) {
    return (
      <Empty icon={<IconHash size={24} />} title="No channel is archived">
        An archived channel takes no new messages; its history stays readable. It would be listed here.
      </Empty>
    )
  }
  if (!any && !filtered) {
    return (
      <Empty
        icon={<IconHash size={24} />}
        title="No channel yet"
        action={<Button onClick={create}>Create the first channel</Button>}
      >
        Channels hold the conversations of this realm, each sorted by topic.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconHash size={24} />}
      title="No channel matches"
      action={
        <Button variant="default" onClick={reset}>
          Clear the filters
        </Button>
      }
    >
      No channel of this realm fits what you searched for.
    </Empty>
  )
}
