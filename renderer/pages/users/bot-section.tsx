import { Button, Group, Select, type SelectProps, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { CopyField } from '../../base/copy.tsx'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { useFollowedValues } from '../../base/use-followed-values.ts'
import { Section } from '../../base/section.tsx'
import type { Bot, RealmState, User } from '../../live.ts'
import { addressProblem, botTypeLabel } from './bots.ts'
import { OwnerSelect } from './owner-select.tsx'
import classes from './users.module.css'

/** What only bots have: an owner, a key to be seen, and for some a service that is called. */
export function BotSection({ user, state }: { user: User; state: RealmState }) {
  const { client } = useRealmLive()
  const bot = state.bots.get(user.user_id)
  const [shown, setShown] = useState(false)
  // Of the server's own bots there is nothing to manage.
  if (!bot) return null
  const [service] = bot.services
  return (
    <Section title="Bot" description={botTypeLabel(bot.bot_type)}>
      <Stack gap="lg">
        <BotForm bot={bot} state={state} client={client} disabled={!user.is_active} />
        {service && <CopyField label="Token that its service is sent" value={service.token} what="token" />}
        {user.is_active && (
          <>
            {shown && <CopyField label="API key" value={bot.api_key} what="API key" />}
            <Group gap="sm">
              {!shown && (
                <Button variant="default" leftSection={<IconEye size={17} />} onClick={() => setShown(true)}>
                  Show API key
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<IconRefresh size={17} />}
                onClick={() => renewBotKey(client, user, () => setShown(true))}
              >
                New API key
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Section>
  )
}

interface BotFormProps {
  bot: Bot
  state: RealmState
  client: RealmClient
  disabled: boolean
}

function BotForm({ bot, state, client, disabled }: BotFormProps) {
  const address = bot.services[0]?.base_url
  const current = {
    owner: String(bot.owner_id ?? ''),
    address: address ?? '',
    sending: bot.default_sending_stream ?? NONE,
    events: bot.default_events_register_stream ?? NONE,
    allPublic: bot.default_all_public_streams,
  }
  const form = useForm({
    initialValues: current,
    validate: { address: (value) => (address === undefined ? null : addressProblem(value)) },
  })
  useFollowedValues(form, current)
  const { values } = form
  const changes = {
    ...(Number(values.owner) !== bot.owner_id && values.owner && { bot_owner_id: Number(values.owner) }),
    ...(address !== undefined &&
      values.address.trim() !== address && { service_payload_url: JSON.stringify(values.address.trim()) }),
    ...(values.sending !== current.sending && { default_sending_stream: values.sending }),
    ...(values.events !== current.events && { default_events_register_stream: values.events }),
    ...(values.allPublic !== current.allPublic && { default_all_public_streams: values.allPublic }),
  }
  const isChanged = Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: () => client.call('PATCH', `/bots/${bot.user_id}`, changes),
    onSuccess: () => notifySuccess(`${bot.full_name} is saved.`),
    onError: (error) => showFormError(form, error, { address: /url/i, owner: /owner/i, sending: /channel/i }),
  })
  return (
    <form onSubmit={form.onSubmit(() => (isChanged ? save.mutate() : undefined))} noValidate>
      <Stack>
        <div className={classes.fields}>
          <OwnerSelect state={state} disabled={disabled} {...form.getInputProps('owner')} />
          {address !== undefined && (
            <TextInput
              label="Address of its service"
              type="url"
              autoComplete="off"
              disabled={disabled}
              {...form.getInputProps('address')}
            />
          )}
        </div>
        <div className={classes.fields}>
          <ChannelSelect
            label="Sends to"
            description="Where it writes unless it says otherwise"
            state={state}
            disabled={disabled}
            {...form.getInputProps('sending')}
          />
          <ChannelSelect
            label="Listens to"
            description="Whose messages it is told of unless it asks for others"
            state={state}
            disabled={disabled}
            {...form.getInputProps('events')}
          />
        </div>
        <Switch
          label="Listens to all public channels"
          disabled={disabled}
          {...form.getInputProps('allPublic', { type: 'checkbox' })}
        />
        {!disabled && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!isChanged} loading={save.isPending}>
              Save bot
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** No channel: what the server takes as none. */
const NONE = ''

interface ChannelSelectProps extends Omit<SelectProps, 'data' | 'value'> {
  state: RealmState
  value?: string
}

/** A channel that this page's user can read, by its name; the one that is chosen already is there in any case. */
function ChannelSelect({ state, value = NONE, ...props }: ChannelSelectProps) {
  const readable = [...state.channels.values()].filter(
    ({ is_archived, invite_only, subscribers }) =>
      !is_archived && (!invite_only || subscribers?.includes(state.me)),
  )
  const chosen = value === NONE ? [] : [value]
  const names = [...new Set([...chosen, ...readable.map(({ name }) => name)])].sort((a, b) =>
    a.localeCompare(b),
  )
  return (
    <Select
      data={[{ value: NONE, label: 'None' }, ...names.map((name) => ({ value: name, label: `#${name}` }))]}
      value={value}
      searchable
      limit={60}
      allowDeselect={false}
      nothingFoundMessage="No such channel"
      comboboxProps={{ shadow: 'md' }}
      {...props}
    />
  )
}

export function renewBotKey(client: RealmClient, bot: User, done?: () => void): void {
  confirm({
    title: `New API key for ${bot.full_name}`,
    body: 'The key in use now stops working at once: whatever runs this bot has to be given the new one.',
    verb: 'Make a new key',
    danger: true,
    action: () => client.call('POST', `/bots/${bot.user_id}/api_key/regenerate`),
    done: () => {
      notifySuccess(`${bot.full_name} has a new key.`)
      done?.()
    },
  })
}
