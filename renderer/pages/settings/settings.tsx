import { Button, Skeleton, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { formatBytes, plain } from '../../base/format.ts'
import { Page } from '../../base/page.tsx'
import { Search } from '../../base/search.tsx'
import { Section } from '../../base/section.tsx'
import { Empty, Failure } from '../../base/states.tsx'
import type { RealmState } from '../../live.ts'
import { isForOwners, profileSettings, type Setting, settingSections } from './catalogue.ts'
import { SettingControl } from './controls.tsx'
import { DangerZone } from './danger-zone.tsx'
import { Exports } from './exports.tsx'
import { Identity } from './identity.tsx'
import { Pictures } from './pictures.tsx'
import classes from './settings.module.css'

const OWNER = 100

export function Settings() {
  const { client, state, problem, retry } = useRealmLive()
  const [search, setSearch] = useState('')
  return (
    <Page
      title="Settings"
      description="What holds for everybody in this realm"
      actions={
        state && (
          <Search label="Search settings" placeholder="Search settings" value={search} onChange={setSearch} />
        )
      }
    >
      {!state && problem && (
        <div className="card">
          <Failure title="The settings could not be loaded" error={problem} onRetry={retry} />
        </div>
      )}
      {!state && !problem && <Loading />}
      {state && <Loaded state={state} client={client} search={search} reset={() => setSearch('')} />}
    </Page>
  )
}

interface LoadedProps {
  state: RealmState
  client: RealmClient
  search: string
  reset: () => void
}

function Loaded({ state, client, search, reset }: LoadedProps) {
  const words = useMemo(() => plain(search).split(/\s+/).filter(Boolean), [search])
  const fits = (...texts: (string | undefined)[]) =>
    words.every((word) => plain(texts.filter(Boolean).join(' ')).includes(word))
  const found = (settings: readonly Setting[], title: string) =>
    settings.filter(({ label, description }) => fits(title, label, description))
  const rows = (settings: readonly Setting[]) => <Rows settings={settings} state={state} client={client} />
  const all = words.length === 0
  const profile = found(profileSettings, 'Profile')
  const sections = settingSections
    .map((section) => ({ ...section, settings: found(section.settings, section.title) }))
    .filter(({ settings }) => settings.length > 0)
  const isOwner = state.users.get(state.me)?.role === OWNER
  const parts = [
    (all || profile.length > 0) && {
      id: 'profile',
      title: 'Profile',
      content: (
        <>
          {all && <Pictures client={client} settings={state.settings} />}
          {all && <Identity client={client} settings={state.settings} />}
          {rows(profile)}
        </>
      ),
    },
    ...sections.map(({ id, title, settings }) => ({
      id,
      title,
      content: (
        <>
          {rows(settings)}
          {id === 'files' && all && <UploadLimits state={state} />}
        </>
      ),
    })),
  ].filter((part) => part !== false)
  const withExports = fits('Data export download')
  const withDanger = fits('Danger zone deactivate close')
  const titles = [
    ...parts.map(({ id, title }) => ({ id, title })),
    ...(withExports ? [{ id: 'exports', title: 'Data exports' }] : []),
    ...(withDanger ? [{ id: 'danger', title: 'Danger zone' }] : []),
  ]
  if (titles.length === 0) {
    return (
      <div className="card">
        <Empty
          icon={<IconSearch size={24} />}
          title="No setting matches"
          action={
            <Button variant="default" onClick={reset}>
              Clear the search
            </Button>
          }
        >
          No setting has all of these words.
        </Empty>
      </div>
    )
  }
  return (
    <div className={classes.layout}>
      <SectionNav titles={titles} />
      <div className={classes.sections}>
        {parts.map(({ id, title, content }) => (
          <div key={id} id={anchorOf(id)} className={classes.anchor} tabIndex={-1}>
            <Section title={title}>{content}</Section>
          </div>
        ))}
        {withExports && (
          <div id={anchorOf('exports')} className={classes.anchor} tabIndex={-1}>
            <Exports client={client} users={state.users} />
          </div>
        )}
        {withDanger && (
          <div id={anchorOf('danger')} className={classes.anchor} tabIndex={-1}>
            <DangerZone client={client} name={state.settings.realm_name} isOwner={isOwner} />
          </div>
        )}
      </div>
    </div>
  )
}

function Rows({
  settings,
  state,
  client,
}: {
  settings: readonly Setting[]
  state: RealmState
  client: RealmClient
}) {
  const isOwner = state.users.get(state.me)?.role === OWNER
  return (
    <div className={classes.rows}>
      {settings.map((setting) => (
        <SettingControl
          key={setting.name}
          setting={setting}
          state={state}
          client={client}
          locked={isForOwners(setting) && !isOwner ? 'Only owners change this' : undefined}
        />
      ))}
    </div>
  )
}

/** The server's operator sets these, for all organizations. */
function UploadLimits({ state: { settings } }: { state: RealmState }) {
  const MIB = 1024 * 1024
  const quota = settings.realm_upload_quota_mib
  return (
    <p className={classes.note}>
      This server takes files of up to {formatBytes(settings.max_file_upload_size_mib * MIB)}
      {quota !== null && `, ${formatBytes(quota * MIB)} in all`}.
    </p>
  )
}

const anchorOf = (id: string) => `settings-${id}`

/** The sections, beside them where there is room; the one being read is marked. */
function SectionNav({ titles }: { titles: { id: string; title: string }[] }) {
  const [current, setCurrent] = useState<string>()
  const key = titles.map(({ id }) => id).join()
  useEffect(() => {
    const ids = key.split(',')
    const look = () => {
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const passed = ids.filter(
        (id) => (document.getElementById(anchorOf(id))?.getBoundingClientRect().top ?? 1e9) < 200,
      )
      setCurrent((atEnd && window.scrollY > 0 ? ids.at(-1) : passed.at(-1)) ?? ids[0])
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [key])
  return (
    <nav className={classes.nav} aria-label="Sections of the settings">
      {titles.map(({ id, title }) => (
        <UnstyledButton
          key={id}
          aria-current={id === current ? 'true' : undefined}
          onClick={() => {
            const section = document.getElementById(anchorOf(id))
            section?.scrollIntoView()
            section?.focus({ preventScroll: true })
          }}
        >
          {title}
        </UnstyledButton>
      ))}
    </nav>
  )
}

function Loading() {
  return (
    <div className={classes.layout} role="status">
      <VisuallyHidden>Loading settings</VisuallyHidden>
      <Stack gap="sm" className={classes.nav}>
        {Array.from({ length: 10 }, (_, index) => (
          <Skeleton key={index} h={16} w={90 + ((index * 37) % 60)} my={4} />
        ))}
      </Stack>
      <div className={classes.sections}>
        {[3, 6, 6].map((rows, card) => (
          <div key={card} className={`card ${classes.skeleton}`}>
            <Skeleton h={14} w={120} mb={24} />
            {Array.from({ length: rows }, (_, row) => (
              <div key={row} className={classes.row}>
                <Skeleton h={12} w={`${40 + ((row * 19) % 30)}%`} />
                <Skeleton h={36} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
