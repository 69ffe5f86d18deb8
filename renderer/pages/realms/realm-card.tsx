import { Badge, Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconActivity, IconHash, IconUsers } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Realm, ServerInfo } from '../../api.ts'
import { formatCount, formatDate } from '../../base/format.ts'
import { paths } from '../../router.ts'
import { AddressList } from './addresses.tsx'
import { realmAddresses } from './realm-addresses.ts'
import classes from './realm-card.module.css'
import { RealmIcon } from './realm-icon.tsx'

interface Props {
  realm: Realm
  server: ServerInfo | undefined
}

export function RealmCard({ realm, server }: Props) {
  const title = `realm-${realm.name}`
  return (
    <article className={`card ${classes.card}`} aria-labelledby={title}>
      <Group gap="sm" wrap="nowrap">
        <RealmIcon name={realm.name} label={realm.display_name} size={38} />
        <div className={classes.words}>
          <Group gap={8} wrap="nowrap">
            <Title order={3} size={16} className="clip" id={title}>
              {realm.display_name}
            </Title>
            {realm.is_deactivated && (
              <Badge color="red" variant="light" size="sm" radius="sm" tt="none" fw={500} flex="none">
                Closed
              </Badge>
            )}
            {realm.is_default && (
              <Badge variant="light" size="sm" radius="sm" tt="none" fw={500} flex="none">
                Default
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" className="clip">
            {realm.name} · since {formatDate(realm.created_at)}
          </Text>
        </div>
      </Group>
      <dl className={classes.counts}>
        <Count label="Users" value={realm.users} />
        <Count label="Channels" value={realm.channels} />
        <Count label="Messages" value={realm.messages} />
      </dl>
      <AddressList addresses={realmAddresses(realm, server)} of={realm.display_name} first={2} />
      <Group gap={8} mt="auto" pt={4} grow>
        <Button
          component={Link}
          href={paths.realm(realm.name, 'users')}
          variant="default"
          size="xs"
          px={6}
          leftSection={<IconUsers size={15} />}
        >
          Users
        </Button>
        <Button
          component={Link}
          href={paths.realm(realm.name, 'channels')}
          variant="default"
          size="xs"
          px={6}
          leftSection={<IconHash size={15} />}
        >
          Channels
        </Button>
        <Button
          component={Link}
          href={paths.activity(realm.name)}
          variant="default"
          size="xs"
          px={6}
          leftSection={<IconActivity size={15} />}
        >
          Activity
        </Button>
      </Group>
    </article>
  )
}

export function RealmCardSkeleton() {
  return (
    <div className={`card ${classes.card}`} role="status" aria-label="Loading a realm">
      <Group gap="sm" wrap="nowrap">
        <Skeleton h={38} w={38} radius="md" />
        <div className={classes.words}>
          <Skeleton h={12} w="60%" mb={8} />
          <Skeleton h={9} w="40%" />
        </div>
      </Group>
      <Skeleton h={44} />
      <Skeleton h={54} />
      <Skeleton h={30} />
    </div>
  )
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatCount(value)}</dd>
    </div>
  )
}
