// The control of each kind of setting. Switches and choices are saved at once; what takes several steps to say (numbers,
// groups of people, words) waits for a button.

import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { GroupSettingValue, RealmSnapshot } from '../../../server/contract.ts'
import type { Parameter, RealmClient } from '../../api.ts'
import { isSameValue, PermissionPicker } from '../../base/permission-picker.tsx'
import type { RealmState } from '../../live.ts'
import type { Setting } from './catalogue.ts'
import { Domains } from './domains.tsx'
import { durationOf, MAX_SECONDS, secondsOf, type Unit, units } from './duration.ts'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'
import { useSaved } from './use-saved.ts'

export interface ControlProps<S extends Setting = Setting> {
  setting: S
  state: RealmState
  client: RealmClient
  /** Why it cannot be changed here. */
  locked: string | undefined
}

type Of<Kind extends Setting['kind']> = ControlProps<Extract<Setting, { kind: Kind }>>

export function SettingControl({ setting, ...props }: ControlProps) {
  switch (setting.kind) {
    case 'switch':
      return <SwitchSetting setting={setting} {...props} />
    case 'choice':
      return <ChoiceSetting setting={setting} {...props} />
    case 'duration':
      return <DurationSetting setting={setting} {...props} />
    case 'days':
      return <DaysSetting setting={setting} {...props} />
    case 'channel':
      return <ChannelSetting setting={setting} {...props} />
    case 'permission':
      return <PermissionSetting setting={setting} {...props} />
    case 'language':
      return <LanguageSetting setting={setting} {...props} />
    case 'word':
      return <WordSetting setting={setting} {...props} />
    case 'methods':
      return <MethodsSetting setting={setting} {...props} />
    case 'domains':
      return <Domains setting={setting} {...props} />
  }
}

const keptOf = <Name extends string & keyof Kept>(settings: RealmSnapshot, name: Name): Kept[Name] =>
  (settings as unknown as Record<string, Kept[Name]>)[`realm_${name}`] as Kept[Name]

type Kept = {
  [Name in keyof RealmSnapshot as Name extends `realm_${infer Rest}` ? Rest : never]: RealmSnapshot[Name]
}

/**
 * What every control of a setting has: its value, what frames it, and what its field needs.
 * @param parameters what is sent to make it something else
 */
function useSetting<Value>(
  { setting, client, locked }: ControlProps,
  kept: Value,
  parameters: (value: Value) => Record<string, Parameter>,
) {
  const saved = useSaved(kept, (value) => client.call('PATCH', '/realm', parameters(value)))
  const id = `setting-${setting.name}`
  return {
    saved,
    row: { id, label: setting.label, description: setting.description, locked, saved },
    field: { id, 'aria-describedby': `${id}-description`, disabled: locked !== undefined },
  }
}

function SwitchSetting(props: Of<'switch'>) {
  const { setting, state } = props
  const { name, inverted = false, needs } = setting
  const isOff = needs === 'web-public' && !state.settings.server_web_public_streams_enabled
  const locked = isOff ? 'Switched off for the whole server' : props.locked
  const kept = keptOf(state.settings, name)
  const { saved, row, field } = useSetting({ ...props, locked }, kept, (value) => ({ [name]: value }))
  return (
    <SettingRow {...row} small>
      <Switch
        {...field}
        checked={saved.value !== inverted}
        onChange={(event) => saved.save(event.currentTarget.checked !== inverted)}
      />
    </SettingRow>
  )
}

function ChoiceSetting(props: Of<'choice'>) {
  const { setting, state } = props
  const { name, options } = setting
  const kept = keptOf(state.settings, name)
  const { saved, row, field } = useSetting<string | number>(props, kept, (value) => ({ [name]: value }))
  return (
    <SettingRow {...row}>
      <Select
        {...field}
        data={options.map(({ value, label }) => ({ value: String(value), label }))}
        value={String(saved.value)}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={(chosen) => {
          const option = options.find(({ value }) => String(value) === chosen)
          if (option) saved.save(option.value)
        }}
      />
    </SettingRow>
  )
}

function ChannelSetting(props: Of<'channel'>) {
  const { setting, state } = props
  const { name, privateOnly = false } = setting
  const kept = keptOf(state.settings, name)
  const { saved, row, field } = useSetting(props, kept, (value) => ({ [name]: value }))
  const channels = [...state.channels.values()]
    .filter((channel) => !channel.is_archived && (!privateOnly || channel.invite_only))
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <SettingRow {...row}>
      <Select
        {...field}
        data={[
          { value: '-1', label: 'None' },
          ...channels.map(({ stream_id, name }) => ({ value: String(stream_id), label: `#${name}` })),
        ]}
        value={String(saved.value)}
        searchable
        nothingFoundMessage="No such channel"
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={(chosen) => chosen !== null && saved.save(Number(chosen))}
      />
    </SettingRow>
  )
}

/** Languages by their names in themselves, those first that many speak. */
const languages = [
  'en',
  'de',
  'es',
  'fr',
  'it',
  'pt',
  'nl',
  'pl',
  'cs',
  'sv',
  'uk',
  'ru',
  'tr',
  'ar',
  'hi',
  'ja',
  'ko',
  'zh-CN',
]

function nameOfLanguage(code: string): string {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
    return name.charAt(0).toUpperCase() + name.slice(1)
  } catch {
    return code
  }
}

function LanguageSetting(props: Of<'language'>) {
  const kept = props.state.settings.realm_default_language
  const { saved, row, field } = useSetting(props, kept, (default_language) => ({ default_language }))
  return (
    <SettingRow {...row}>
      <Select
        {...field}
        data={[...new Set([...languages, kept])].map((code) => ({
          value: code,
          label: nameOfLanguage(code),
        }))}
        value={saved.value}
        searchable
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={(code) => code !== null && saved.save(code)}
      />
    </SettingRow>
  )
}

/** What is being made of a setting, until it is saved or discarded. */
function useDraft<Value>(kept: Value) {
  const [draft, setDraft] = useState<{ value: Value } | null>(null)
  const key = JSON.stringify(kept)
  // Saved, or changed by somebody else: what was written before has lost its ground.
  useEffect(() => setDraft(null), [key])
  const value = draft ? draft.value : kept
  return {
    value,
    isChanged: draft !== null && JSON.stringify(value) !== key,
    set: (next: Value) => setDraft({ value: next }),
    discard: () => setDraft(null),
  }
}

interface DraftedProps {
  shown: boolean
  saving: boolean
  label: string
  problem?: boolean
  save: () => void
  discard: () => void
  children: ReactNode
}

/** A control with its two buttons, which are there once there is something to save. */
function Drafted({ shown, saving, label, problem = false, save, discard, children }: DraftedProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (shown && !problem) save()
      }}
    >
      {children}
      {shown && (
        <div className={classes.drafted}>
          <Button
            size="xs"
            variant="default"
            onClick={discard}
            disabled={saving}
            aria-label={`Discard: ${label}`}
          >
            Discard
          </Button>
          <Button size="xs" type="submit" loading={saving} disabled={problem} aria-label={`Save: ${label}`}>
            Save
          </Button>
        </div>
      )}
    </form>
  )
}

function PermissionSetting(props: Of<'permission'>) {
  const { setting, state } = props
  const { name } = setting
  const kept = keptOf(state.settings, name) as GroupSettingValue
  const { saved, row, field } = useSetting(props, kept, (value) => ({
    // With what it was believed to be, so that nobody's change of the same moment is lost.
    [name]: { new: value, old: kept },
  }))
  const draft = useDraft(saved.value)
  const rules = state.permissions.realm[name]
  if (!rules) return null
  const isEmpty =
    typeof draft.value !== 'number' &&
    draft.value.direct_members.length + draft.value.direct_subgroups.length === 0
  return (
    <SettingRow {...row}>
      <Drafted
        shown={!isSameValue(draft.value, saved.value)}
        saving={saved.state === 'saving'}
        label={setting.label}
        problem={isEmpty && !rules.allow_nobody_group}
        save={() => saved.save(draft.value)}
        discard={draft.discard}
      >
        <PermissionPicker {...field} state={state} rules={rules} value={draft.value} onChange={draft.set} />
      </Drafted>
    </SettingRow>
  )
}

const NEVER = 'never'

function DurationSetting(props: Of<'duration'>) {
  const { setting, state } = props
  const { name, never } = setting
  const { saved, row, field } = useSetting(props, keptOf(state.settings, name), (value) => ({
    [name]: value ?? 'unlimited',
  }))
  const draft = useDraft<{ amount: number | string; unit: Unit } | null>(
    saved.value === null ? null : durationOf(saved.value),
  )
  const seconds =
    draft.value === null ? null : secondsOf({ ...draft.value, amount: Number(draft.value.amount) })
  const isWrong = seconds !== null && !(seconds > 0 && seconds <= MAX_SECONDS && Number.isInteger(seconds))
  return (
    <SettingRow {...row}>
      <Drafted
        shown={draft.isChanged}
        saving={saved.state === 'saving'}
        label={setting.label}
        problem={isWrong}
        save={() => saved.save(seconds)}
        discard={draft.discard}
      >
        <div className={classes.inline}>
          {draft.value && (
            <NumberInput
              {...field}
              min={1}
              allowDecimal={false}
              allowNegative={false}
              value={draft.value.amount}
              error={isWrong}
              onChange={(amount) => draft.value && draft.set({ ...draft.value, amount })}
            />
          )}
          <Select
            {...(draft.value === null && { id: row.id })}
            aria-label={`${setting.label}: unit`}
            data={[...units.map(({ value, label }) => ({ value, label })), { value: NEVER, label: never }]}
            value={draft.value?.unit ?? NEVER}
            disabled={field.disabled}
            allowDeselect={false}
            comboboxProps={{ shadow: 'md' }}
            onChange={(unit) =>
              draft.set(
                unit === NEVER || unit === null
                  ? null
                  : { amount: draft.value?.amount ?? 1, unit: unit as Unit },
              )
            }
          />
        </div>
      </Drafted>
    </SettingRow>
  )
}

const MAX_DAYS = 36_500

function DaysSetting(props: Of<'days'>) {
  const { setting, state } = props
  const { name, never } = setting
  const { saved, row, field } = useSetting(props, keptOf(state.settings, name), (value) => ({
    [name]: value === -1 ? 'unlimited' : value,
  }))
  const draft = useDraft<number | string>(saved.value)
  const days = Number(draft.value)
  const isLimited = days !== -1
  const least = never ? 1 : 0
  const isWrong = draft.value === '' || (isLimited && !(days >= least && days <= MAX_DAYS))
  const amount = (
    <NumberInput
      {...field}
      min={least}
      max={MAX_DAYS}
      allowDecimal={false}
      allowNegative={false}
      suffix={days === 1 ? ' day' : ' days'}
      value={draft.value}
      error={isWrong}
      onChange={draft.set}
    />
  )
  return (
    <SettingRow {...row}>
      <Drafted
        shown={draft.isChanged}
        saving={saved.state === 'saving'}
        label={setting.label}
        problem={isWrong}
        save={() => saved.save(days)}
        discard={draft.discard}
      >
        <div className={classes.inline}>
          {isLimited && amount}
          {never && (
            <Select
              {...(!isLimited && { id: row.id })}
              aria-label={`${setting.label}: limit`}
              data={[
                { value: 'limited', label: 'Limited' },
                { value: NEVER, label: never },
              ]}
              value={isLimited ? 'limited' : NEVER}
              disabled={field.disabled}
              allowDeselect={false}
              comboboxProps={{ shadow: 'md' }}
              onChange={(which) => draft.set(which === NEVER ? -1 : 365)}
            />
          )}
        </div>
      </Drafted>
    </SettingRow>
  )
}

function WordSetting(props: Of<'word'>) {
  const { setting, state } = props
  const kept = keptOf(state.settings, setting.name)
  const { saved, row, field } = useSetting(props, kept, (value) => ({ [setting.name]: value }))
  const draft = useDraft(saved.value)
  return (
    <SettingRow {...row}>
      <Drafted
        shown={draft.isChanged}
        saving={saved.state === 'saving'}
        label={setting.label}
        save={() => saved.save(draft.value.trim())}
        discard={draft.discard}
      >
        <TextInput
          {...field}
          autoComplete="off"
          spellCheck={false}
          placeholder="None"
          value={draft.value}
          onChange={(event) => draft.set(event.currentTarget.value)}
        />
      </Drafted>
    </SettingRow>
  )
}

const methodLabels: Record<string, string> = {
  Email: 'Email and password',
  Dev: 'As anybody, without a password (for development)',
}

function MethodsSetting(props: Of<'methods'>) {
  const kept = props.state.settings.realm_authentication_methods
  const wanted = Object.fromEntries(Object.entries(kept).map(([name, { enabled }]) => [name, enabled]))
  const { saved, row, field } = useSetting(props, wanted, (authentication_methods) => ({
    authentication_methods,
  }))
  const { id } = row
  return (
    <SettingRow {...row} id={`${id}-Email`}>
      <div className={classes.methods}>
        {Object.entries(kept)
          // What this server has not is no choice.
          .filter(([, { available }]) => available)
          .map(([name]) => (
            <Switch
              key={name}
              id={`${id}-${name}`}
              label={methodLabels[name] ?? name}
              checked={saved.value[name] ?? false}
              disabled={field.disabled}
              onChange={(event) => saved.save({ [name]: event.currentTarget.checked })}
            />
          ))}
      </div>
    </SettingRow>
  )
}
