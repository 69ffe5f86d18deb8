import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Loader,
  Radio,
  Skeleton,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDatabaseExport, IconDownload, IconPackageExport, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RealmExport } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { openDialog } from '../../base/dialog.ts'
import { formatMoment, formatQuantity } from '../../base/format.ts'
import { messageOf, notifySuccess } from '../../base/notify.tsx'
import { Section } from '../../base/section.tsx'
import { Empty, Failure } from '../../base/states.tsx'
import { Age } from '../../base/time.tsx'
import type { RealmState } from '../../live.ts'
import classes from './settings.module.css'

const keyOf = (client: RealmClient) => ['exports', client.realm]

interface Props {
  client: RealmClient
  users: RealmState['users']
}

/** Files with what the organization has, to be taken away. */
export function Exports({ client, users }: Props) {
  const queries = useQueryClient()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: keyOf(client),
    queryFn: ({ signal }) => client.call<{ exports: RealmExport[] }>('GET', '/export/realm', {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.exports.some(({ pending }) => pending) ? 700 : 15_000),
  })
  const exports = data?.exports.filter(({ deleted_timestamp }) => deleted_timestamp === null).toReversed()
  const reload = () => void queries.invalidateQueries({ queryKey: keyOf(client) })
  return (
    <Section
      title="Data exports"
      description="Everything that was written and sent, in one file to take away"
      flush
      actions={
        <Button
          variant="default"
          leftSection={<IconDatabaseExport size={17} />}
          disabled={!exports || exports.some(({ pending }) => pending)}
          onClick={() => openStartExport(client, reload)}
        >
          Start an export
        </Button>
      }
    >
      {exports && exports.length > 0 && (
        <ul className={classes.exports} aria-label="Exports">
          {exports.map((one) => (
            <Row
              key={one.id}
              one={one}
              by={users.get(one.acting_user_id)?.full_name}
              client={client}
              reload={reload}
            />
          ))}
        </ul>
      )}
      {exports?.length === 0 && <Empty icon={<IconPackageExport size={24} />} title="No export" />}
      {!exports && error && (
        <Failure
          title="The exports could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {!exports && !error && (
        <div className={classes.export} role="status" aria-label="Loading exports">
          <Skeleton h={36} />
        </div>
      )}
    </Section>
  )
}

const kinds = { 1: 'What is public', 2: 'Also private, with consent' } as const

interface RowProps {
  one: RealmExport
  by: string | undefined
  client: RealmClient
  reload: () => void
}

function Row({ one, by, client, reload }: RowProps) {
  const { export_time, export_type, export_url, pending, failed_timestamp } = one
  const when = formatMoment(export_time)
  return (
    <li className={classes.export}>
      <div>
        <Text size="sm" fw={500}>
          {when}
        </Text>
        <Text size="xs" c="dimmed">
          {kinds[export_type]}
          {by && ` · by ${by}`}
        </Text>
      </div>
      {pending && (
        <Group gap={8}>
          <Loader size={14} aria-hidden />
          <Text size="sm" c="dimmed">
            <span role="status">Being made</span> · <Age since={export_time} />
          </Text>
        </Group>
      )}
      {failed_timestamp !== null && (
        <Text size="sm" c="var(--parley-bad)">
          Failed; the reason is in the log
        </Text>
      )}
      {export_url !== null && (
        <Group gap={4} wrap="nowrap">
          <Button
            component="a"
            href={new URL(export_url, location.origin).pathname}
            download={`${client.realm}-export-${one.id}.zip`}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} />}
            aria-label={`Download the export of ${when}`}
          >
            Download
          </Button>
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete the export of ${when}`}
              onClick={() => remove(client, one, reload)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      )}
    </li>
  )
}

function remove(client: RealmClient, { id, export_time }: RealmExport, reload: () => void): void {
  confirm({
    title: 'Delete this export?',
    body: `The file of ${formatMoment(export_time)} is gone then, and its address leads nowhere. The messages themselves stay.`,
    verb: 'Delete',
    danger: true,
    action: () => client.call('DELETE', `/export/realm/${id}`),
    done: () => {
      notifySuccess('The export is deleted.')
      reload()
    },
  })
}

function openStartExport(client: RealmClient, started: () => void): void {
  const modalId = openDialog({
    title: 'Start an export',
    children: <StartExport client={client} started={started} close={() => modals.close(modalId)} />,
  })
}

interface StartProps {
  client: RealmClient
  started: () => void
  close: () => void
}

function StartExport({ client, started, close }: StartProps) {
  const [type, setType] = useState('1')
  const consents = useQuery({
    queryKey: ['export-consents', client.realm],
    queryFn: ({ signal }) =>
      client.call<{ export_consents: { consented: boolean }[] }>(
        'GET',
        '/export/realm/consents',
        {},
        { signal },
      ),
  })
  const agreed = consents.data?.export_consents.filter(({ consented }) => consented).length
  const start = useMutation({
    mutationFn: () => client.call('POST', '/export/realm', { export_type: Number(type) }),
    onSuccess: () => {
      close()
      started()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate()
      }}
    >
      <Stack>
        <Radio.Group label="What is to be in it" value={type} onChange={setType}>
          <Stack gap="sm" mt={8}>
            <Radio
              value="1"
              label="What is public"
              description="Messages of public channels, people, and the files that were sent there"
              data-autofocus
            />
            <Radio
              value="2"
              label="Also what is private, with consent"
              description={
                agreed === undefined
                  ? 'What those can read who let administrators export it'
                  : `What those can read who let administrators export it: ${formatQuantity(agreed, 'person', 'people')} now`
              }
            />
          </Stack>
        </Radio.Group>
        {start.isError && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(start.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending}>
            Start
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
