import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconArchive, IconPencil } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { formatCount, formatDate, formatMoment } from '../../base/format.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { DataGrid, HiddenTitle } from '../../base/table.tsx'
import type { Channel } from '../../live.ts'
import classes from './channels.module.css'
import { openEditChannel } from './edit-channel.tsx'
import { PrivacyIcon } from './privacy-icon.tsx'
import type { ChannelOrder } from './select-channels.ts'

interface Props {
  channels: Channel[]
  order: ChannelOrder
  onOrder: (order: ChannelOrder) => void
}

const PAGE_SIZE = 25

export function ChannelTable({ channels, order, onOrder }: Props) {
  const { client, state } = useRealmLive()
  const columns: DataTableColumn<Channel>[] = [
    { accessor: 'name', title: 'Channel', sortable: true, render: (channel) => <Named channel={channel} /> },
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
        !channel.is_archived &&
        state && (
          <Group gap={2} justify="flex-end" wrap="nowrap">
            <Tooltip label="Edit">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit ${channel.name}`}
                onClick={() => openEditChannel(client, channel, state)}
              >
                <IconPencil size={17} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Archive">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Archive ${channel.name}`}
                onClick={() => archive(client, channel)}
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

function Named({ channel }: { channel: Channel }) {
  const description = useMemo(() => textOf(channel.rendered_description), [channel.rendered_description])
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <PrivacyIcon channel={channel} />
      <div className={classes.words}>
        <Text size="sm" fw={500} className="clip" title={channel.name}>
          {channel.name}
        </Text>
        <Text size="xs" c="dimmed" className="clip" title={description}>
          {description || 'No description'}
        </Text>
      </div>
    </Group>
  )
}

/** The words of a description, without its markup. */
function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
}

function Created({ channel, by }: { channel: Channel; by: string | null }) {
  return (
    <div className={classes.words}>
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

function archive(client: RealmClient, channel: Channel): void {
  confirm({
    title: `Archive #${channel.name}?`,
    body: 'Nobody can post in it any more, and it leaves everybody’s list. Its messages stay. This page cannot bring it back.',
    verb: 'Archive',
    danger: true,
    action: () => client.call('DELETE', `/streams/${channel.stream_id}`),
    done: () => notifySuccess(`#${channel.name} is archived.`),
  })
}
