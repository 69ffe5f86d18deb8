import { Button, SimpleGrid, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { useRealms, useServer } from '../../admin/queries.ts'
import { useIsOperator } from '../../admin/session-context.tsx'
import type { Realm } from '../../api.ts'
import { formatQuantity } from '../../base/format.ts'
import { Page } from '../../base/page.tsx'
import { Failure } from '../../base/states.tsx'
import { openCreateRealm } from './create-realm.tsx'
import { FirstRun } from './first-run.tsx'
import { RealmCard, RealmCardSkeleton } from './realm-card.tsx'
import { ServerCard } from './server-card.tsx'

export function Overview() {
  const operator = useIsOperator()
  const realms = useRealms()
  const [, navigate] = useLocation()
  const create = () => openCreateRealm({ navigate })
  if (realms.data?.length === 0) return <FirstRun create={create} />
  return (
    <Page
      title="Overview"
      description="This server, its addresses and the realms on it"
      actions={
        operator && (
          <Button leftSection={<IconPlus size={17} />} onClick={create}>
            Create realm
          </Button>
        )
      }
    >
      <ServerCard />
      <Title order={2} size={16} mt={36} mb="sm">
        {realms.data && realms.data.length > 1 ? formatQuantity(realms.data.length, 'realm') : 'Realm'}
      </Title>
      <Realms
        realms={realms.data}
        error={realms.error}
        retry={() => void realms.refetch()}
        retrying={realms.isFetching}
      />
    </Page>
  )
}

interface RealmsProps {
  realms: Realm[] | undefined
  error: unknown
  retry: () => void
  retrying: boolean
}

function Realms({ realms, error, retry, retrying }: RealmsProps) {
  const { data: server } = useServer()
  if (!realms && error) {
    return (
      <div className="card">
        <Failure title="The realms could not be loaded" error={error} onRetry={retry} retrying={retrying} />
      </div>
    )
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {realms
        ? realms.map((realm) => <RealmCard key={realm.name} realm={realm} server={server} />)
        : [0, 1].map((card) => <RealmCardSkeleton key={card} />)}
    </SimpleGrid>
  )
}
