import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconArrowBackUp, IconDots, IconDownload, IconTrash } from '@tabler/icons-react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { DataTableColumn } from 'mantine-datatable'
import { useMemo, useState } from 'react'
import { keys } from '../../admin/queries.ts'
import { adminApi, type Backup } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { formatBytes, formatMoment } from '../../base/format.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { DataGrid, HiddenTitle, type Order } from '../../base/table.tsx'
import { Ago } from '../../base/time.tsx'
import classes from './backups.module.css'

type Column = 'created_at' | 'name' | 'bytes'

const kinds: Record<Backup['kind'], string> = {
  daily: 'daily',
  weekly: 'weekly',
  manual: 'by hand',
  'before-migration': 'before an upgrade',
}

export function BackupTable({ backups, busy }: { backups: Backup[]; busy: boolean }) {
  const client = useQueryClient()
  const [order, setOrder] = useState<Order<Column>>({ columnAccessor: 'created_at', direction: 'desc' })
  const rows = useMemo(() => sortBackups(backups, order), [backups, order])
  const columns = useMemo(() => columnsOf(client, busy), [client, busy])
  return (
    <DataGrid
      rows={rows}
      columns={columns}
      idAccessor="name"
      order={order}
      onOrder={setOrder}
      pageSize={20}
    />
  )
}

export function sortBackups(
  backups: readonly Backup[],
  { columnAccessor, direction }: Order<Column>,
): Backup[] {
  const sign = direction === 'asc' ? 1 : -1
  return backups.toSorted((a, b) => {
    const [left, right] = [a[columnAccessor], b[columnAccessor]]
    return sign * (left < right ? -1 : left > right ? 1 : 0)
  })
}

function columnsOf(client: QueryClient, busy: boolean): DataTableColumn<Backup>[] {
  return [
    {
      accessor: 'name',
      title: 'File',
      sortable: true,
      render: ({ name, kind, good }) => (
        <div>
          <span className={classes.name}>{name}</span>
          <span className={classes.kind}>{kinds[kind]}</span>
          {good === false && (
            <Text size="xs" className={classes.bad}>
              Damaged: it cannot be restored
            </Text>
          )}
        </div>
      ),
    },
    {
      accessor: 'created_at',
      title: 'Made',
      width: 140,
      sortable: true,
      visibleMediaQuery: (theme) => `(min-width: ${theme.breakpoints.sm})`,
      render: ({ created_at }) => <Ago since={created_at} />,
    },
    {
      accessor: 'bytes',
      title: 'Size',
      width: 104,
      sortable: true,
      textAlign: 'right',
      render: ({ bytes }) => <span className="numeric">{formatBytes(bytes)}</span>,
    },
    {
      accessor: 'actions',
      title: <HiddenTitle>Actions</HiddenTitle>,
      width: 60,
      textAlign: 'right',
      render: (backup) => <BackupActions backup={backup} client={client} busy={busy} />,
    },
  ]
}

function BackupActions({ backup, client, busy }: { backup: Backup; client: QueryClient; busy: boolean }) {
  const { name, good } = backup
  return (
    <Menu position="bottom-end" width={200} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={adminApi.backupUrl(name)}
          download
          leftSection={<IconDownload size={16} />}
        >
          Download
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBackUp size={16} />}
          disabled={busy || good === false}
          onClick={() => restore(client, backup)}
        >
          Restore…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--parley-bad)"
          leftSection={<IconTrash size={16} />}
          disabled={busy}
          onClick={() => remove(client, backup)}
        >
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function restore(client: QueryClient, { name, created_at }: Backup): void {
  confirm({
    title: 'Go back to this backup?',
    body: `Everything becomes as it was on ${formatMoment(created_at)}. What is there now is kept aside in the data folder. The server starts again; clients come back by themselves.`,
    verb: 'Restore',
    danger: true,
    action: () => adminApi.restoreBackup(name),
    done: () => {
      notifySuccess('The server starts again with the backup.')
      void client.invalidateQueries()
    },
  })
}

function remove(client: QueryClient, { name }: Backup): void {
  confirm({
    title: 'Delete this backup?',
    body: `${name} is gone for good then.`,
    verb: 'Delete',
    danger: true,
    action: () => adminApi.deleteBackup(name),
    done: () => {
      notifySuccess(`${name} is deleted.`)
      void client.invalidateQueries({ queryKey: keys.backups })
    },
  })
}
