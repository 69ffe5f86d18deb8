import { Button, Group, Text, Title } from '@mantine/core'
import { IconCheck, IconClock, IconFolderOpen, IconTrashOff, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRealms } from '../../admin/queries.ts'
import { adminApi, type EmojiFolder } from '../../api.ts'
import { CopyField } from '../../base/copy.tsx'
import { desktop } from '../../base/desktop.ts'
import { formatQuantity } from '../../base/format.ts'
import { messageOf, notifyFailure } from '../../base/notify.tsx'
import classes from './emoji.module.css'

type File = EmojiFolder['files'][number]

const looks = {
  used: { icon: IconCheck, label: 'Emoji' },
  refused: { icon: IconX, label: 'Not used' },
  taken_away: { icon: IconTrashOff, label: 'Deactivated' },
  waiting: { icon: IconClock, label: 'Waiting' },
} as const

const SHOWN = 6

/** The folder whose pictures become emoji by themselves; for whoever can put something there. */
export function WatchedFolder({ realm }: { realm: string }) {
  const { data, error } = useQuery({
    queryKey: ['emoji-folder'],
    queryFn: ({ signal }) => adminApi.emojiFolder(signal),
    refetchInterval: 3000,
  })
  // Pictures of the default realm lie right in the folder, those of others in one of their name inside.
  const isDefault = useRealms().data?.some((one) => one.name === realm && one.is_default)
  const app = desktop()
  const files = data?.files.filter((file) => file.realm === realm || file.realm === null) ?? []
  return (
    <section className={`card ${classes.folder}`} aria-labelledby="emoji-folder">
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5" id="emoji-folder">
          Watched folder
        </Title>
        {app && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFolderOpen size={15} />}
            onClick={() => void app.openFolder('data').catch(notifyFailure)}
          >
            Open the data folder
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        Pictures in this folder become emoji by themselves, named like their files, and go when the file goes.
      </Text>
      {data && <CopyField value={isDefault ? data.path : inside(data.path, realm)} what="path" />}
      {!data && error && (
        <Text size="sm" c="var(--parley-bad)" role="alert">
          {messageOf(error)}
        </Text>
      )}
      {data && files.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          There is no picture in it now.
        </Text>
      )}
      {files.length > 0 && <Files files={files} />}
    </section>
  )
}

const inside = (path: string, name: string): string => `${path}${path.includes('\\') ? '\\' : '/'}${name}`

const order = ['refused', 'waiting', 'taken_away', 'used']

function Files({ files }: { files: File[] }) {
  const [whole, setWhole] = useState(false)
  // What needs attention comes first.
  const sorted = files.toSorted(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.file.localeCompare(b.file),
  )
  const shown = whole ? sorted : sorted.slice(0, SHOWN)
  const used = files.filter(({ status }) => status === 'used').length
  return (
    <>
      <Text size="sm" mt="md" role="status">
        {used === files.length
          ? `All of ${formatQuantity(files.length, 'file')} became emoji.`
          : `${used} of ${formatQuantity(files.length, 'file')} became emoji.`}
      </Text>
      <ul className={classes.files}>
        {shown.map((file) => (
          <WatchedFile key={file.file} file={file} />
        ))}
      </ul>
      {sorted.length > SHOWN && (
        <Button variant="subtle" size="xs" mt={4} onClick={() => setWhole(!whole)} aria-expanded={whole}>
          {whole ? 'Show fewer' : `Show all ${sorted.length}`}
        </Button>
      )}
    </>
  )
}

function WatchedFile({ file: { file, status, reason } }: { file: File }) {
  const { icon: Icon, label } = looks[status]
  return (
    <li className={classes.file}>
      <span className={`mono ${classes.fileName}`}>{file}</span>
      <span className={classes.outcome} data-status={status}>
        <Icon size={16} aria-hidden="true" />
        {label}
      </span>
      {reason && <span className={classes.reason}>{reason}</span>}
    </li>
  )
}
