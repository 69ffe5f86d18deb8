import { ActionIcon, Button, FileButton, Group, RingProgress, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconCheck, IconPhotoOff, IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { FileDrop } from '../../base/file-drop.tsx'
import { formatBytes, formatQuantity } from '../../base/format.ts'
import { messageOf, notifySuccess } from '../../base/notify.tsx'
import type { Emoji } from '../../live.ts'
import classes from './emoji.module.css'
import { keptName, nameFromFile, nameProblems } from './emoji-names.ts'

/** What the server can make emoji of. */
export const pictureTypes = 'image/png,image/gif,image/jpeg,image/webp,image/avif,image/tiff'

interface Upload {
  id: number
  file: File
  name: string
  /** Of the bytes, while they are on their way. */
  share: number
  state: 'ready' | 'sending' | 'done' | 'failed'
  error: string | null
}

let made = 0
const uploadOf = (file: File): Upload => ({
  id: ++made,
  file,
  name: nameFromFile(file.name),
  share: 0,
  state: 'ready',
  error: null,
})

/** Asks how the pictures are to be called, and sends them. */
export function openUploadEmoji(client: RealmClient, files: File[], taken: Iterable<Emoji>): void {
  const modalId = openDialog({
    title: 'Upload emoji',
    size: 'lg',
    // A stray click must not lose the names.
    closeOnClickOutside: false,
    children: (
      <UploadEmoji client={client} files={files} taken={[...taken]} close={() => modals.close(modalId)} />
    ),
  })
}

interface Props {
  client: RealmClient
  files: File[]
  taken: Emoji[]
  close: () => void
}

function UploadEmoji({ client, files, taken, close }: Props) {
  const [uploads, setUploads] = useState(() => files.map(uploadOf))
  const [busy, setBusy] = useState(false)
  const open = uploads.filter(({ state }) => state !== 'done')
  const done = uploads.filter(({ state }) => state === 'done')
  const names = [...taken.filter(({ deactivated }) => !deactivated), ...done].map(({ name }) =>
    keptName(name),
  )
  const problems = nameProblems(
    open.map(({ name }) => name),
    new Set(names),
  )
  const problemOf = (upload: Upload) => problems[open.indexOf(upload)] ?? null
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const add = (more: File[]) => setUploads((now) => [...now, ...more.map(uploadOf)])

  const send = async () => {
    setBusy(true)
    let failed = 0
    // One after the other: the server decodes each, and the errors come in the order of the list.
    for (const { id, file, name } of open) {
      change(id, { state: 'sending', share: 0, error: null })
      try {
        const path = `/realm/emoji/${encodeURIComponent(keptName(name))}`
        await client.upload(path, file, { progress: (share) => change(id, { share }) })
        change(id, { state: 'done' })
      } catch (error) {
        failed += 1
        change(id, { state: 'failed', error: messageOf(error) })
      }
    }
    setBusy(false)
    if (failed > 0) return
    close()
    notifySuccess(open.length === 1 ? 'The emoji is ready.' : `${open.length} emoji are ready.`)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FileDrop label="Drop more pictures" onFiles={add}>
        <Stack>
          <ul className={classes.uploads} aria-label="Pictures">
            {uploads.map((upload) => (
              <Row
                key={upload.id}
                upload={upload}
                problem={problemOf(upload)}
                busy={busy}
                rename={(name) => change(upload.id, { name, state: 'ready', error: null })}
                remove={() => setUploads((now) => now.filter(({ id }) => id !== upload.id))}
              />
            ))}
          </ul>
          {uploads.length === 0 && (
            <Text size="sm" c="dimmed">
              No picture is left. Add some, or drop them here.
            </Text>
          )}
          <Group justify="space-between" gap="sm">
            <FileButton
              multiple
              accept={pictureTypes}
              disabled={busy}
              onChange={add}
              inputProps={{ 'aria-label': 'More pictures' }}
            >
              {(props) => (
                <Button {...props} variant="subtle" leftSection={<IconPlus size={16} />} disabled={busy}>
                  Add more
                </Button>
              )}
            </FileButton>
            <Group gap="sm">
              <Button variant="default" onClick={close} disabled={busy}>
                {done.length > 0 ? 'Close' : 'Cancel'}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={open.length === 0 || problems.some((problem) => problem !== null)}
              >
                {done.length > 0 ? 'Try again' : `Upload ${formatQuantity(open.length, 'emoji', 'emoji')}`}
              </Button>
            </Group>
          </Group>
        </Stack>
      </FileDrop>
    </form>
  )
}

interface RowProps {
  upload: Upload
  problem: string | null
  busy: boolean
  rename: (name: string) => void
  remove: () => void
}

function Row({ upload, problem, busy, rename, remove }: RowProps) {
  const { file, name, state, error } = upload
  return (
    <li className={classes.upload}>
      <Preview file={file} />
      <TextInput
        aria-label={`Name of ${file.name}`}
        value={name}
        readOnly={busy || state === 'done'}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => rename(event.currentTarget.value)}
        error={error ?? problem}
        description={`${file.name} · ${formatBytes(file.size)}`}
        inputWrapperOrder={['input', 'error', 'description']}
      />
      <State upload={upload} busy={busy} remove={remove} />
    </li>
  )
}

function State({
  upload: { file, state, share },
  busy,
  remove,
}: Pick<RowProps, 'upload' | 'busy' | 'remove'>) {
  if (state === 'done') {
    return (
      <span className={classes.state} role="img" aria-label={`${file.name} is uploaded`}>
        <IconCheck size={18} color="var(--parley-good)" />
      </span>
    )
  }
  if (state === 'sending') {
    return (
      <span
        className={classes.state}
        role="progressbar"
        aria-label={`Sending ${file.name}`}
        aria-valuenow={Math.round(share * 100)}
      >
        <RingProgress
          size={32}
          thickness={4}
          sections={[{ value: share * 100, color: 'cobalt' }]}
          aria-hidden
        />
      </span>
    )
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`Leave out ${file.name}`}
      disabled={busy}
      onClick={remove}
    >
      <IconX size={16} />
    </ActionIcon>
  )
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (broken) {
    return (
      <span className={classes.state} role="img" aria-label="No preview">
        <IconPhotoOff size={20} color="var(--mantine-color-dimmed)" />
      </span>
    )
  }
  return (
    <span className={classes.state}>{url && <img src={url} alt="" onError={() => setBroken(true)} />}</span>
  )
}
