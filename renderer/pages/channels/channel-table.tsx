import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconArchive, IconPencil } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { formatCount, formatDate, formatMoment } from '../../base/format.ts'
import { Named } from '../../base/named.tsx'
import { DataGrid, HiddenTitle } from '../../base/table.tsx'
import { Tag } from '../../base/tag.tsx'
import type { Channel } from '../../live.ts'
import { paths } from '../../router.ts'
import { archiveChannel } from './archive-channel.ts'
import { PrivacyIcon } from './privacy-icon.tsx'
import type { ChannelOrder } from './select-channels.ts'

interface Props {
  channels: Channel[]
  order: ChannelOrder
  onOrder: (order: ChannelOrder) => void
}

const PAGE_SIZE = 25

export function ChannelTable({ channels, order, onOrder }: Props) {
  const { realm, client, state } = useRealmLive()
  const columns: DataTableColumn<Channel>[] = [
    {
      accessor: 'name',
      title: 'Channel',
      sortable: true,
      render: (channel) => (
        <NamedChannel
          channel={channel}
          to={paths.realm(realm, 'channels', channel.stream_id)}
          isDefault={state?.defaultChannels.has(channel.stream_id) ?? false}
        />
      ),
    },
    {
      accessor: 'subscribers',
      title: 'Subscribers',
      width: 124,
      sortable: true,
      textAlign: 'right',
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.xs})`,
      render: ({ subscribers }) => (
        <span className="numeric">{subscribers ? formatCount(subscribers.length) : '–'}</span>
      ),
    },
    {
      accessor: 'date_created',
      title: 'Created',
      width: 180,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.md})`,
      render: (channel) => (
        <Created channel={channel} by={state?.users.get(channel.creator_id ?? -1)?.full_name ?? null} />
      ),
    },
    {
      accessor: 'actions',
      title: <HiddenTitle>Actions</HiddenTitle>,
      width: 96,
      textAlign: 'right',
      render: (channel) =>
        !channel.is_archived && (
          <Group gap={2} justify="flex-end" wrap="nowrap">
            <Tooltip label="Edit">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit ${channel.name}`}
                component={Link}
                href={paths.realm(realm, 'channels', channel.stream_id)}
              >
                <IconPencil size={17} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Archive">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Archive ${channel.name}`}
                onClick={() => archiveChannel(client, channel)}
              >
                <IconArchive size={17} />
              </ActionIcon>
            </Tooltip>
          </Group>
        ),
    },
  ]
  return (
    <DataGrid
      rows={channels}
      columns={columns}
      idAccessor="stream_id"
      order={order}
      onOrder={onOrder}
      pageSize={PAGE_SIZE}
    />
  )
}

function NamedChannel({ channel, to, isDefault }: { channel: Channel; to: string; isDefault: boolean }) {
  const description = useMemo(() => textOf(channel.rendered_description), [channel.rendered_description])
  return (
    <Named
      icon={<PrivacyIcon channel={channel} />}
      name={channel.name}
      to={to}
      badges={isDefault && <Tag title="Newcomers are subscribed to it">Default</Tag>}
      detail={description || 'No description'}
    />
  )
}

/** The words of a description, without its markup. */
function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
}

function Created({ channel, by }: { channel: Channel; by: string | null }) {
  return (
    <div>
      <Text size="sm" className="numeric" title={formatMoment(channel.date_created)}>
        {formatDate(channel.date_created)}
      </Text>
      {by && (
        <Text size="xs" c="dimmed" className="clip" title={by}>
          by {by}
        </Text>
      )}
    </div>
  )
}
