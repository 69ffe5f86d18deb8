import { Alert, Button, FileButton, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArchive,
  IconCheck,
  IconDatabaseExport,
  IconUpload,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys, useBackups } from '../../admin/queries.ts'
import { adminApi, type Backups as BackupsInfo } from '../../api.ts'
import { formatMoment } from '../../base/format.ts'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { Page } from '../../base/page.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import { BackupTable } from './backup-table.tsx'
import { BackupStatus } from './backup-status.tsx'

export function Backups() {
  const { data, error, refetch, isFetching } = useBackups()
  return (
    <Page
      title="Backups"
      description="Everything the server keeps, in one file each, made while it goes on serving"
      actions={<Actions running={data?.running ?? null} />}
    >
      {data?.restored && <Restored restored={data.restored} />}
      {data && <BackupStatus backups={data} />}
      <section className="card" aria-label="Backups">
        {data && data.backups.length > 0 && (
          <BackupTable backups={data.backups} busy={data.running !== null} />
        )}
        {data?.backups.length === 0 && (
          <Empty icon={<IconArchive size={24} />} title="No backup yet">
            The first one is made by itself some minutes after the server started. You need not wait for it.
          </Empty>
        )}
        {!data && !error && <TableSkeleton label="Loading backups" rows={4} />}
        {!data && error && (
          <Failure
            title="The backups could not be loaded"
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
      </section>
    </Page>
  )
}

function Actions({ running }: { running: BackupsInfo['running'] }) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: keys.backups })
  const create = useMutation({ mutationFn: adminApi.createBackup, onSuccess: reload, onError: notifyFailure })
  const upload = useMutation({
    mutationFn: adminApi.uploadBackup,
    onSuccess: ({ name }) => {
      notifySuccess(`${name} was checked and is in the list.`)
      return reload()
    },
    onError: notifyFailure,
  })
  return (
    <>
      <FileButton
        accept=".parley-backup,.db"
        onChange={(file) => file && upload.mutate(file)}
        inputProps={{ 'aria-label': 'Backup file to take in' }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={17} />}
            loading={upload.isPending}
          >
            Upload
          </Button>
        )}
      </FileButton>
      <Button
        leftSection={<IconDatabaseExport size={17} />}
        onClick={() => create.mutate()}
        loading={create.isPending}
        disabled={running !== null}
      >
        Back up now
      </Button>
    </>
  )
}

function Restored({ restored }: { restored: NonNullable<BackupsInfo['restored']> }) {
  return (
    <Alert
      mb="lg"
      color={restored.ok ? 'teal' : 'red'}
      variant="default"
      icon={restored.ok ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={restored.ok ? 'The server was restored' : 'The restore did not work'}
    >
      <Text size="sm">
        {restored.ok
          ? `On ${formatMoment(restored.at)}, from ${restored.source}.`
          : `${restored.error ?? 'The reason is in the log.'} Everything is as it was.`}
        {restored.aside && ` What was there before is kept in ${restored.aside} in the data folder.`}
      </Text>
    </Alert>
  )
}
