import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { notifySuccess } from '../../base/notify.tsx'
import { OrderedList } from '../../base/ordered-list.tsx'
import { Page } from '../../base/page.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import type { Linkifier } from '../../live.ts'
import { openLinkifier } from './edit-linkifier.tsx'
import classes from './links.module.css'

export function Links() {
  const { client, state, problem, retry } = useRealmLive()
  const linkifiers = state?.linkifiers
  const create = linkifiers && (() => openLinkifier(client, null))
  return (
    <Page
      title="Links"
      description="What becomes a link by itself in every message: ticket numbers, order numbers. Where two fit, the upper one counts."
      actions={
        <Button leftSection={<IconPlus size={17} />} onClick={create} disabled={!create}>
          Create link
        </Button>
      }
    >
      <div className="card">
        {!linkifiers && problem && (
          <Failure title="The links could not be loaded" error={problem} onRetry={retry} />
        )}
        {!linkifiers && !problem && <TableSkeleton label="Loading links" rows={4} />}
        {linkifiers?.length === 0 && (
          <Empty
            icon={<IconLink size={24} />}
            title="Nothing becomes a link by itself yet"
            action={<Button onClick={create}>Create the first link</Button>}
          >
            With a pattern for #1234 every such number leads to its ticket, wherever somebody writes it.
          </Empty>
        )}
        {linkifiers && linkifiers.length > 0 && (
          <OrderedList
            label="Links"
            items={linkifiers}
            idOf={({ id }) => id}
            nameOf={({ pattern }) => pattern}
            onOrder={(ids) => client.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids })}
            actions={(linkifier) => <Actions linkifier={linkifier} client={client} />}
          >
            {({ pattern, url_template }) => (
              <>
                <div className={classes.code}>{pattern}</div>
                <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
                  {url_template}
                </Text>
              </>
            )}
          </OrderedList>
        )}
      </div>
    </Page>
  )
}

function Actions({ linkifier, client }: { linkifier: Linkifier; client: RealmClient }) {
  const { pattern } = linkifier
  return (
    <>
      <Tooltip label="Edit">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Edit ${pattern}`}
          onClick={() => openLinkifier(client, linkifier)}
        >
          <IconPencil size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${pattern}`}
          onClick={() => remove(client, linkifier)}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

function remove(client: RealmClient, { id, pattern }: Linkifier): void {
  confirm({
    title: 'Delete this link?',
    body: `New messages no longer make links of ${pattern}. Those that are there keep theirs.`,
    verb: 'Delete',
    danger: true,
    action: () => client.call('DELETE', `/realm/filters/${id}`),
    done: () => notifySuccess('The link is deleted.'),
  })
}
