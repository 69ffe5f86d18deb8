import { Button, FileButton, Group } from '@mantine/core'
import { IconFileZip, IconMoodSmile, IconUpload } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { useIsOperator } from '../../admin/session-context.tsx'
import { FileDrop } from '../../base/file-drop.tsx'
import { formatQuantity } from '../../base/format.ts'
import { notifyFailure } from '../../base/notify.tsx'
import { Page } from '../../base/page.tsx'
import { Search } from '../../base/search.tsx'
import { StandingControl } from '../../base/standing.tsx'
import { Empty, Failure } from '../../base/states.tsx'
import { EmojiGrid, EmojiSkeleton } from './emoji-grid.tsx'
import { type EmojiFilter, selectEmoji } from './select-emoji.ts'
import { isArchive, openImportEmoji } from './import-emoji.tsx'
import { openUploadEmoji, pictureTypes } from './upload-emoji.tsx'
import { WatchedFolder } from './watched-folder.tsx'

const all: EmojiFilter = { search: '', standing: 'active' }

export function Emoji() {
  const { realm, client, state, problem, retry } = useRealmLive()
  const operator = useIsOperator()
  const [filter, setFilter] = useState(all)
  const emoji = state?.emoji
  const shown = useMemo(() => selectEmoji(emoji?.values() ?? [], filter), [emoji, filter])
  const active = useMemo(() => [...(emoji?.values() ?? [])].filter((one) => !one.deactivated).length, [emoji])
  const upload = (files: File[]) => {
    if (!state) return
    const [archive] = files.filter(isArchive)
    if (archive && files.length > 1) notifyFailure(new Error('Drop a zip archive by itself.'))
    else if (archive) openImportEmoji(realm, archive, state.emoji.values())
    else if (files.length > 0) openUploadEmoji(client, files, state.emoji.values())
  }
  return (
    <Page
      title="Emoji"
      description={emoji ? `${formatQuantity(active, 'picture')} of your own` : '\u00a0'}
      actions={
        <>
          <ImportButton onFiles={upload} disabled={!state} />
          <UploadButton onFiles={upload} disabled={!state} />
        </>
      }
    >
      <FileDrop label="Drop pictures, or a zip archive of them" onFiles={upload}>
        <Filters filter={filter} onChange={setFilter} />
        <section className="card" aria-label="Emoji">
          {!emoji && problem && (
            <Failure title="The emoji could not be loaded" error={problem} onRetry={retry} />
          )}
          {!emoji && !problem && <EmojiSkeleton />}
          {state && shown.length === 0 && (
            <None filter={filter} any={active > 0} reset={() => setFilter(all)} upload={upload} />
          )}
          {state && shown.length > 0 && <EmojiGrid emoji={shown} users={state.users} client={client} />}
        </section>
      </FileDrop>
      {operator && <WatchedFolder realm={realm} />}
    </Page>
  )
}

interface UploadProps {
  onFiles: (files: File[]) => void
  disabled?: boolean
}

function UploadButton({ onFiles, disabled = false }: UploadProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      multiple
      accept={pictureTypes}
      disabled={disabled}
      // The same pictures may be chosen once more.
      resetRef={reset}
      onChange={(files) => {
        onFiles(files)
        reset.current?.()
      }}
      inputProps={{ 'aria-label': 'Pictures for emoji' }}
    >
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={17} />} disabled={disabled}>
          Upload emoji
        </Button>
      )}
    </FileButton>
  )
}

function ImportButton({ onFiles, disabled = false }: UploadProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      accept=".zip,application/zip"
      disabled={disabled}
      resetRef={reset}
      onChange={(file) => {
        if (file) onFiles([file])
        reset.current?.()
      }}
      inputProps={{ 'aria-label': 'Zip archive of emoji' }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconFileZip size={17} />} disabled={disabled}>
          Import a zip
        </Button>
      )}
    </FileButton>
  )
}

function Filters({ filter, onChange }: { filter: EmojiFilter; onChange: (filter: EmojiFilter) => void }) {
  return (
    <Group gap="sm" mb="md">
      <Search
        label="Search emoji"
        placeholder="Search by name"
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <StandingControl
        label="Which emoji"
        value={filter.standing}
        onChange={(standing) => onChange({ ...filter, standing })}
      />
    </Group>
  )
}

interface NoneProps {
  filter: EmojiFilter
  any: boolean
  reset: () => void
  upload: (files: File[]) => void
}

function None({ filter, any, reset, upload }: NoneProps) {
  if (filter.search) {
    return (
      <Empty
        icon={<IconMoodSmile size={24} />}
        title="No emoji matches"
        action={
          <Button variant="default" onClick={reset}>
            Clear the filters
          </Button>
        }
      >
        None of this realm’s emoji has that name.
      </Empty>
    )
  }
  if (filter.standing === 'deactivated' || any) {
    return (
      <Empty icon={<IconMoodSmile size={24} />} title="No emoji is deactivated">
        A deactivated emoji cannot be used any more, but is still shown where it was. It would be listed here.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconMoodSmile size={24} />}
      title="No emoji of your own yet"
      action={<UploadButton onFiles={upload} />}
    >
      Drop pictures or a zip archive here, or choose several at once. Animated ones stay animated.
    </Empty>
  )
}
