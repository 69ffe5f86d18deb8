import { ActionIcon, Code, Skeleton, Text, Title, Tooltip } from '@mantine/core'
import { IconFolderOpen } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useServer } from '../../admin/queries.ts'
import { ApiError, type ServerInfo } from '../../api.ts'
import { CopyButton } from '../../base/copy.tsx'
import { desktop } from '../../base/desktop.ts'
import { formatBytes } from '../../base/format.ts'
import { notifyFailure } from '../../base/notify.tsx'
import { Failure } from '../../base/states.tsx'
import { Age } from '../../base/time.tsx'
import { AddressList } from './addresses.tsx'
import { serverAddresses } from './realm-addresses.ts'
import classes from './server-card.module.css'

export function ServerCard() {
  const { data: server, error, refetch, isFetching } = useServer()
  if (server) return <Known server={server} />
  // An administrator of one realm need not know about the machine.
  if (error instanceof ApiError && error.status === 403) return null
  if (error) {
    return (
      <div className="card">
        <Failure
          title="The server’s details could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </div>
    )
  }
  return (
    <div className={`card ${classes.waiting}`} role="status" aria-label="Loading the server’s details">
      <Skeleton h={12} w={90} mb={20} />
      <Skeleton h={52} maw={440} mb={20} />
      <Skeleton h={12} w="50%" />
    </div>
  )
}

function Known({ server }: { server: ServerInfo }) {
  return (
    <section className={`card ${classes.card}`} aria-label="This server">
      <div className={classes.addresses}>
        <Title order={2} size={14} mb={10}>
          Addresses
        </Title>
        <AddressList addresses={serverAddresses(server)} of="the server" />
        {server.lan_urls.length === 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            Only this computer can connect. To share it on your network, start it with{' '}
            <Code className={classes.option}>--host 0.0.0.0</Code>.
          </Text>
        )}
      </div>
      <dl className={classes.facts}>
        <Fact label="Version">
          {server.version}
          {server.development && <span className={classes.development}>development mode</span>}
        </Fact>
        <Fact label="Running for">
          <Age since={server.started_at} />
        </Fact>
        <Fact label="Database">
          <span className="numeric">{formatBytes(server.database_bytes)}</span>
        </Fact>
        <Fact label="Process">
          <span className="numeric">{server.pid}</span> · Node {server.node_version.replace(/^v/, '')}
        </Fact>
        <Fact label="Data folder" wide>
          <code className="mono clip" title={server.data_dir}>
            {server.data_dir}
          </code>
          <OpenFolder />
          <CopyButton value={server.data_dir} what="path of the data folder" />
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classes.fact} data-wide={wide}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function OpenFolder() {
  const app = desktop()
  if (!app) return null
  return (
    <Tooltip label="Open data folder">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Open data folder"
        onClick={() => void app.openFolder('data').catch(notifyFailure)}
      >
        <IconFolderOpen size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
