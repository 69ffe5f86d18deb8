import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconAlertTriangle, IconArrowRight, IconPhotoOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { FoundEmoji } from '../../../server/contract.ts'
import { adminApi, type EmojiImport } from '../../api.ts'
import { onThisOrigin } from '../../base/address.ts'
import { openDialog } from '../../base/dialog.ts'
import { formatQuantity } from '../../base/format.ts'
import { messageOf, notifySuccess } from '../../base/notify.tsx'
import { Empty } from '../../base/states.tsx'
import type { Emoji } from '../../live.ts'
import classes from './import-emoji.module.css'
import { openZip, type PictureOf } from './zip-pictures.ts'

export const isArchive = ({ name, type }: File): boolean =>
  /\.zip$/i.test(name) || type === 'application/zip' || type === 'application/x-zip-compressed'

let opened = 0

/** Sends an archive, shows what is in it, and takes in what is chosen. Closing it leaves nothing behind. */
export function openImportEmoji(realm: string, archive: File, present: Iterable<Emoji>): void {
  const arrival = adminApi.openEmojiImport(realm, archive)
  let isTaken = false
  const modalId = openDialog({
    title: 'Import emoji',
    size: 'lg',
    // A stray click must not lose the choice.
    closeOnClickOutside: false,
    onClose: () => {
      // Should this not get through, the server forgets the archive by itself.
      const forget = ({ import_id }: EmojiImport) => adminApi.cancelEmojiImport(realm, import_id)
      if (!isTaken) void arrival.then(forget).catch(() => undefined)
    },
    children: (
      <ImportEmoji
        number={++opened}
        archive={archive}
        arrival={arrival}
        present={new Map([...present].filter((one) => !one.deactivated).map((one) => [one.name, one]))}
        take={async (importId, choices) => {
          const outcome = await adminApi.confirmEmojiImport(realm, importId, choices)
          isTaken = true
          return outcome
        }}
        close={() => modals.close(modalId)}
      />
    ),
  })
}

type Choices = Parameters<typeof adminApi.confirmEmojiImport>[2]

interface Props {
  /** Tells one archive from the next. */
  number: number
  archive: File
  arrival: Promise<EmojiImport>
  present: ReadonlyMap<string, Emoji>
  take: (importId: string, choices: Choices) => ReturnType<typeof adminApi.confirmEmojiImport>
  close: () => void
}

function ImportEmoji({ number, archive, arrival, present, take, close }: Props) {
  const { data, error } = useQuery({
    queryKey: ['emoji-import', number],
    queryFn: async () => ({ ...(await arrival), pictureOf: await openZip(archive) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (data) return <Found {...data} present={present} take={take} close={close} />
  return (
    <Stack>
      {error ? (
        <Alert
          color="red"
          variant="light"
          role="alert"
          icon={<IconAlertTriangle size={18} />}
          title={archive.name}
        >
          {messageOf(error)}
        </Alert>
      ) : (
        <Group gap="sm" role="status" py="xl" justify="center">
          <Loader size={18} aria-hidden />
          <Text size="sm">Looking into {archive.name}…</Text>
        </Group>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          {error ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Stack>
  )
}

interface FoundProps extends EmojiImport, Pick<Props, 'present' | 'take' | 'close'> {
  pictureOf: PictureOf
}

function Found({ import_id, emoji, pictureOf, present, take, close }: FoundProps) {
  const of = (state: FoundEmoji['state']) => emoji.filter((one) => one.state === state)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(of('new').map(nameOf)))
  const run = useMutation({
    mutationFn: () => {
      // Also for those that cannot be used, which the server would try once more.
      const names = emoji.map(nameOf).filter(Boolean)
      return take(
        import_id,
        Object.fromEntries(names.map((name) => [name, chosen.has(name) ? 'replace' : 'skip'])),
      )
    },
    onSuccess: ({ added, replaced, failed }) => {
      if (failed.length > 0) return
      close()
      notifySuccess(told(added.length, replaced.length))
    },
  })
  const choose = (names: string[], isChosen: boolean) =>
    setChosen(
      (now) => new Set(isChosen ? [...now, ...names] : [...now].filter((name) => !names.includes(name))),
    )
  const listed = { chosen, choose, pictureOf, present, disabled: run.isPending }
  const invalid = of('invalid')
  if (run.data && run.data.failed.length > 0) return <Failed {...run.data} close={close} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.size > 0) run.mutate()
      }}
    >
      {emoji.length === 0 ? (
        <Empty icon={<IconPhotoOff size={24} />} title="Nothing is in it">
          This archive holds no file that could be a picture.
        </Empty>
      ) : (
        <div className={classes.found} tabIndex={0} role="region" aria-label="What is in the archive">
          <Part
            title="Name is taken"
            hint="Choose those that are to be replaced."
            emoji={of('conflict')}
            {...listed}
          />
          <Part title="New" emoji={of('new')} {...listed} />
          {invalid.length > 0 && (
            <section className={classes.part} aria-label="Cannot be used">
              <div className={classes.head}>
                <IconPhotoOff size={18} aria-hidden="true" />
                <Text size="sm" fw={500}>
                  Cannot be used <Count of={invalid} />
                </Text>
              </div>
              <ul className={classes.list}>
                {invalid.map(({ file, reason }, index) => (
                  <li key={index} className={classes.refused}>
                    <span className={classes.file}>{file}</span>
                    <span className={classes.reason}>{reason}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
      {run.isError && (
        <Alert color="red" variant="light" role="alert" mt="md">
          {messageOf(run.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={close} disabled={run.isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={run.isPending || run.isSuccess}
          disabled={chosen.size === 0}
          data-autofocus
        >
          {chosen.size === 0 ? 'Import' : `Import ${formatQuantity(chosen.size, 'emoji', 'emoji')}`}
        </Button>
      </Group>
    </form>
  )
}

/** Empty where a file's name cannot be one. */
const nameOf = ({ name }: FoundEmoji): string => name ?? ''

function told(added: number, replaced: number): string {
  const parts = [added > 0 && `${added} added`, replaced > 0 && `${replaced} replaced`].filter(Boolean)
  return parts.length > 0 ? `Emoji: ${parts.join(', ')}.` : 'No emoji was taken in.'
}

function Count({ of }: { of: readonly unknown[] }) {
  return (
    <Text span inherit fw={400} c="dimmed" className="numeric">
      {of.length}
    </Text>
  )
}

interface PartProps {
  title: string
  hint?: string
  emoji: FoundEmoji[]
  chosen: ReadonlySet<string>
  choose: (names: string[], isChosen: boolean) => void
  pictureOf: PictureOf
  present: ReadonlyMap<string, Emoji>
  disabled: boolean
}

/** Those of one kind, each and all of them to be chosen. */
function Part({ title, hint, emoji, chosen, choose, pictureOf, present, disabled }: PartProps) {
  if (emoji.length === 0) return null
  const names = emoji.map(nameOf)
  const count = names.filter((name) => chosen.has(name)).length
  return (
    <section className={classes.part} aria-label={title}>
      <label className={classes.head}>
        <Checkbox
          size="sm"
          aria-label={`All: ${title.toLowerCase()}`}
          checked={count === names.length}
          indeterminate={count > 0 && count < names.length}
          disabled={disabled}
          onChange={(event) => choose(names, event.currentTarget.checked)}
        />
        <span>
          <Text span size="sm" fw={500}>
            {title} <Count of={emoji} />
          </Text>
          {hint && (
            <Text size="xs" c="dimmed" component="span" display="block">
              {hint}
            </Text>
          )}
        </span>
      </label>
      <ul className={classes.list}>
        {emoji.map((one) => {
          const name = nameOf(one)
          const now = one.state === 'conflict' && present.get(name)
          return (
            <li key={name}>
              <label className={classes.row}>
                <Checkbox
                  size="sm"
                  aria-label={one.state === 'conflict' ? `Replace ${name}` : `Add ${name}`}
                  checked={chosen.has(name)}
                  disabled={disabled}
                  onChange={(event) => choose([name], event.currentTarget.checked)}
                />
                {now && (
                  <>
                    <img className={classes.picture} src={onThisOrigin(now.source_url)} alt="Now" />
                    <IconArrowRight size={15} aria-hidden="true" className={classes.arrow} />
                  </>
                )}
                <Preview file={one.file} pictureOf={pictureOf} />
                <span className={classes.words}>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.file}>{one.file}</span>
                  {one.reason && <span className={classes.reason}>{one.reason}</span>}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Preview({ file, pictureOf }: { file: string; pictureOf: PictureOf }): ReactNode {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    void pictureOf(file).then((picture) => {
      if (picture && !isGone) setUrl((made = URL.createObjectURL(picture)))
    })
    return () => {
      isGone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [file, pictureOf])
  return url === null ? (
    <span className={classes.picture} />
  ) : (
    <img className={classes.picture} src={url} alt="" onError={() => setUrl(null)} />
  )
}

type FailedProps = Awaited<ReturnType<Props['take']>> & { close: () => void }

/** Some were shown as pictures and did not become emoji: which, and what became of the others. */
function Failed({ added, replaced, failed, close }: FailedProps) {
  return (
    <Stack>
      <Text size="sm" role="status">
        {told(added.length, replaced.length)}
      </Text>
      <Alert color="red" variant="light" title={`${formatQuantity(failed.length, 'picture')} did not work`}>
        <ul className={classes.list}>
          {failed.map(({ name, reason }) => (
            <li key={name}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      </Alert>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  )
}
