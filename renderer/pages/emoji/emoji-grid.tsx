import { ActionIcon, Skeleton, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { notifySuccess } from '../../base/notify.tsx'
import { Pages } from '../../base/pages.tsx'
import type { Emoji, RealmState } from '../../live.ts'
import classes from './emoji.module.css'

interface Props {
  emoji: Emoji[]
  users: RealmState['users']
  client: RealmClient
}

const PAGE_SIZE = 120

export function EmojiGrid({ emoji, users, client }: Props) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(emoji.length / PAGE_SIZE))
  const shown = Math.min(page, pages)
  return (
    <>
      <ul className={classes.grid}>
        {emoji.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE).map((one) => (
          <EmojiCard
            key={one.id}
            emoji={one}
            author={one.author_id === null ? 'Imported' : users.get(one.author_id)?.full_name}
            client={client}
          />
        ))}
      </ul>
      {pages > 1 && (
        <div className={classes.pages}>
          <Pages total={pages} value={shown} onChange={setPage} />
        </div>
      )}
    </>
  )
}

interface CardProps {
  emoji: Emoji
  author: string | undefined
  client: RealmClient
}

function EmojiCard({ emoji, author, client }: CardProps) {
  const { name, deactivated } = emoji
  return (
    <li className={classes.card} data-deactivated={deactivated || undefined}>
      <Picture emoji={emoji} />
      <div className={classes.words}>
        <Text size="sm" fw={500} className="clip" title={`:${name}:`}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="clip" title={author}>
          {deactivated ? 'Deactivated' : (author ?? '\u00a0')}
        </Text>
      </div>
      {!deactivated && (
        <Tooltip label="Deactivate">
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.action}
            aria-label={`Deactivate ${name}`}
            onClick={() => deactivate(client, emoji)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}

/** It moves, unless one has asked that nothing does. */
function Picture({ emoji }: { emoji: Emoji }) {
  return (
    <picture className={classes.picture}>
      {emoji.still_url && <source srcSet={emoji.still_url} media="(prefers-reduced-motion: reduce)" />}
      <img src={emoji.source_url} alt="" width={36} height={36} loading="lazy" />
    </picture>
  )
}

function deactivate(client: RealmClient, { name }: Emoji): void {
  confirm({
    title: `Deactivate :${name}:?`,
    body: 'Nobody can use it any more. Messages and reactions that have it go on showing it. The name becomes free for another picture.',
    verb: 'Deactivate',
    danger: true,
    action: () => client.call('DELETE', `/realm/emoji/${encodeURIComponent(name)}`),
    done: () => notifySuccess(`:${name}: is deactivated.`),
  })
}

export function EmojiSkeleton() {
  return (
    <div role="status" className={classes.grid}>
      <VisuallyHidden>Loading emoji</VisuallyHidden>
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className={classes.card}>
          <Skeleton w={36} h={36} radius="md" />
          <div className={classes.words}>
            <Skeleton h={10} w={`${60 + ((index * 13) % 30)}%`} mb={8} />
            <Skeleton h={8} w="50%" />
          </div>
        </div>
      ))}
    </div>
  )
}
