import { ActionIcon, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconPlugConnectedX, IconPlugOff } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo, useState } from 'react'
import { adminApi, ApiError } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { formatBytes, formatCount } from '../../base/format.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { Person } from '../../base/person.tsx'
import { Empty, TableSkeleton } from '../../base/states.tsx'
import { DataGrid, HiddenTitle } from '../../base/table.tsx'
import { Age, Ago } from '../../base/time.tsx'
import classes from './activity.module.css'
import type { QueueInfo } from './activity-state.ts'
import { type QueueOrder, sortQueues } from './sort-queues.ts'

interface Props {
  queues: ReadonlyMap<string, QueueInfo> | undefined
  showRealm: boolean
}

export function Queues({ queues, showRealm }: Props) {
  const [order, setOrder] = useState<QueueOrder>({ columnAccessor: 'created_at', direction: 'asc' })
  const records = useMemo(() => sortQueues(queues?.values() ?? [], order), [queues, order])
  const columns = useMemo(() => columnsOf(showRealm), [showRealm])
  return (
    <section className={`card ${classes.block}`} aria-labelledby="queues-title">
      <Group className={classes.head} gap="xs">
        <Title order={2} size={15} id="queues-title">
          Event queues
        </Title>
        {queues && (
          <Text size="sm" c="dimmed" className="numeric">
            {formatCount(queues.size)}
          </Text>
        )}
      </Group>
      {!queues && <TableSkeleton label="Loading queues" rows={4} />}
      {queues?.size === 0 && (
        <Empty icon={<IconPlugOff size={24} />} title="Nobody is connected">
          A queue opens when a client registers, and shows up here at once.
        </Empty>
      )}
      {queues && queues.size > 0 && (
        <DataGrid
          rows={records}
          columns={columns}
          idAccessor="queue_id"
          order={order}
          onOrder={setOrder}
          maxHeight={460}
        />
      )}
    </section>
  )
}

function columnsOf(showRealm: boolean): DataTableColumn<QueueInfo>[] {
  return [
    {
      accessor: 'user_full_name',
      title: 'User',
      sortable: true,
      render: (queue) => (
        <Person
          id={queue.user_id}
          name={queue.user_full_name}
          email={showRealm ? `${queue.realm} · ${queue.user_email}` : queue.user_email}
        />
      ),
    },
    {
      accessor: 'client',
      title: 'Client',
      width: '20%',
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.sm})`,
      render: (queue) => (
        <div className={classes.two}>
          <Text size="sm" className="clip" title={queue.client}>
            {queue.client}
          </Text>
          <Text size="xs" c="dimmed" className="clip numeric">
            {queue.address}
          </Text>
        </div>
      ),
    },
    {
      accessor: 'created_at',
      title: 'Age',
      width: 108,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.lg})`,
      render: (queue) => (
        <Text size="sm" component="div">
          <Age since={queue.created_at} />
        </Text>
      ),
    },
    {
      accessor: 'pending',
      title: 'Waiting',
      width: 92,
      sortable: true,
      textAlign: 'right',
      render: ({ pending }) => (
        <span className="numeric" data-waiting={pending >= 100 ? 'many' : pending > 0 ? 'some' : undefined}>
          {formatCount(pending)}
        </span>
      ),
    },
    {
      accessor: 'size',
      title: 'Size',
      width: 92,
      sortable: true,
      textAlign: 'right',
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.lg})`,
      render: ({ size }) => <span className="numeric">{formatBytes(size)}</span>,
    },
    {
      accessor: 'last_poll_at',
      title: 'Last poll',
      width: 132,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.sm})`,
      render: (queue) => <LastPoll queue={queue} />,
    },
    {
      accessor: 'last_acknowledged_id',
      title: 'Acknowledged',
      width: 122,
      textAlign: 'right',
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.md})`,
      render: (queue) => (
        <Text size="sm" component="span" className="numeric" title="Last acknowledged event of the last one">
          {queue.last_acknowledged_id < 0 ? '–' : queue.last_acknowledged_id}
          <Text span c="dimmed" inherit>
            {' / '}
            {queue.last_event_id < 0 ? '–' : queue.last_event_id}
          </Text>
        </Text>
      ),
    },
    {
      accessor: 'actions',
      title: <HiddenTitle>Actions</HiddenTitle>,
      width: 60,
      textAlign: 'right',
      render: (queue) => (
        <Tooltip label="Drop queue">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Drop the queue of ${queue.user_full_name} (${queue.client})`}
            onClick={() => dropQueue(queue)}
          >
            <IconPlugConnectedX size={18} />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ]
}

function LastPoll({ queue }: { queue: QueueInfo }) {
  if (queue.polling) {
    return (
      <span className={classes.polling}>
        <span className={classes.pulse} aria-hidden="true" />
        Polling
      </span>
    )
  }
  return (
    <Text size="sm" c="dimmed" component="span">
      {queue.last_poll_at === null ? 'Never' : <Ago since={queue.last_poll_at} />}
    </Text>
  )
}

function dropQueue(queue: QueueInfo): void {
  confirm({
    title: 'Drop this queue?',
    body: (
      <>
        {queue.user_full_name} ({queue.client}) loses{' '}
        {queue.pending > 0 ? `${formatCount(queue.pending)} waiting events` : 'the queue'}. A well-made client
        notices at its next poll, registers anew and goes on.
      </>
    ),
    verb: 'Drop queue',
    danger: true,
    action: () =>
      adminApi.dropQueue(queue.queue_id).catch((error: unknown) => {
        // It went by itself while we asked: that is what was wanted.
        if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') return
        throw error
      }),
    done: () => notifySuccess(`The queue of ${queue.user_full_name} is dropped.`),
  })
}
