import { Alert, Button, Group, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconArchive, IconHash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { formatQuantity } from '../../base/format.ts'
import { showFormError } from '../../base/forms.ts'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { NotShown } from '../../base/not-shown.tsx'
import { Page } from '../../base/page.tsx'
import { PermissionForm } from '../../base/permission-form.tsx'
import { Section } from '../../base/section.tsx'
import type { Channel, RealmState } from '../../live.ts'
import { paths } from '../../router.ts'
import { archiveChannel } from './archive-channel.ts'
import {
  ChannelFields,
  channelPermissionLabels,
  channelRules,
  isRetention,
  PrivacyChoice,
  RetentionField,
  retentionParam,
} from './channel-fields.tsx'
import { ChannelMembers } from './channel-members.tsx'
import { flagsOf, isPrivate, privacyKindOf, privacyWords } from './privacy.ts'

export function ChannelPage({ id }: { id: number }) {
  const live = useRealmLive()
  const { realm, client, state } = live
  const back = { to: paths.realm(realm, 'channels'), label: 'Channels' }
  const channel = state?.channels.get(id)
  if (state && channel) return <Known client={client} state={state} channel={channel} back={back} />
  return <NotShown what="channel" back={back} icon={<IconHash size={24} />} live={live} />
}

interface PartProps {
  client: RealmClient
  state: RealmState
  channel: Channel
}

function Known({ client, state, channel, back }: PartProps & { back: { to: string; label: string } }) {
  const { stream_id, name, is_archived } = channel
  const { label } = privacyWords[privacyKindOf(channel)]
  const isDefault = state.defaultChannels.has(stream_id)
  const people = channel.subscribers && formatQuantity(channel.subscribers.length, 'subscriber')
  const parts = { client, state, channel }
  return (
    <Page
      title={`#${name}`}
      back={back}
      description={[label, people, isDefault && 'default channel'].filter(Boolean).join(' · ')}
      actions={
        !is_archived && (
          <Button
            variant="default"
            leftSection={<IconArchive size={17} />}
            onClick={() => archiveChannel(client, channel)}
          >
            Archive
          </Button>
        )
      }
    >
      {is_archived ? (
        <Alert variant="default" icon={<IconArchive size={18} />} title="This channel is archived">
          Nobody can post in it; what was written stays readable.
        </Alert>
      ) : (
        <>
          <Section title="Name and description">
            <Profile key={`${name} ${channel.description}`} {...parts} />
          </Section>
          <Section title="Reading and keeping">
            <Rules
              key={JSON.stringify([flagsNow(channel), isDefault, channel.message_retention_days])}
              {...parts}
            />
          </Section>
          <Section title="Permissions" description="What may be done with this channel, and by whom">
            <PermissionForm
              labels={channelPermissionLabels}
              rules={state.permissions.stream}
              state={state}
              kept={channel}
              disabled={false}
              send={(changes) => client.call('PATCH', `/streams/${stream_id}`, changes)}
              saved={`The permissions of #${name} are saved.`}
            />
          </Section>
        </>
      )}
      <ChannelMembers {...parts} />
    </Page>
  )
}

const flagsNow = (channel: Channel) => flagsOf(privacyKindOf(channel))

function Profile({ client, state, channel }: PartProps) {
  const form = useForm({
    initialValues: { name: channel.name, description: channel.description },
    validate: channelRules(state),
  })
  const save = useMutation({
    mutationFn: async ({ name, description }: typeof form.values) => {
      // Only what was changed: a rename tells every client, and so does a description.
      const changes = {
        ...(name.trim() !== channel.name && { new_name: name.trim() }),
        ...(description.trim() !== channel.description && { description: description.trim() }),
      }
      if (Object.keys(changes).length > 0)
        await client.call('PATCH', `/streams/${channel.stream_id}`, changes)
      return name.trim()
    },
    onSuccess: (name) => notifySuccess(`#${name} is saved.`),
    onError: (error) => showFormError(form, error, { description: /description/i, name: /name|channel/i }),
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <ChannelFields
          client={client}
          name={form.getInputProps('name')}
          description={form.getInputProps('description')}
        />
        <SaveButtons
          dirty={form.isDirty()}
          saving={save.isPending}
          discard={form.reset}
          what="name and description"
        />
      </Stack>
    </form>
  )
}

function Rules({ client, state, channel }: PartProps) {
  const before = {
    privacy: privacyKindOf(channel),
    isDefault: state.defaultChannels.has(channel.stream_id),
    retention: channel.message_retention_days,
  }
  const form = useForm({ initialValues: before })
  const { values, setFieldValue } = form
  const isDefault = values.isDefault && !isPrivate(values.privacy)
  const save = useMutation({
    mutationFn: () => {
      const { invite_only: is_private, ...flags } = flagsOf(values.privacy)
      return client.call('PATCH', `/streams/${channel.stream_id}`, {
        ...(values.privacy !== before.privacy && { is_private, ...flags }),
        ...(isDefault !== before.isDefault && { is_default_stream: isDefault }),
        ...(values.retention !== before.retention && {
          message_retention_days: retentionParam(values.retention),
        }),
      })
    },
    onSuccess: () => notifySuccess(`#${channel.name} is saved.`),
    onError: notifyFailure,
  })
  return (
    <form onSubmit={form.onSubmit(() => save.mutate())} noValidate>
      <Stack>
        <PrivacyChoice
          state={state}
          value={values.privacy}
          onChange={(privacy) => setFieldValue('privacy', privacy)}
        />
        <Switch
          label="Default channel"
          description={
            isPrivate(values.privacy)
              ? 'Not where it is private'
              : 'Everybody who comes later is subscribed to it'
          }
          checked={isDefault}
          disabled={isPrivate(values.privacy)}
          onChange={(event) => setFieldValue('isDefault', event.currentTarget.checked)}
        />
        <RetentionField
          state={state}
          value={values.retention}
          onChange={(retention) => setFieldValue('retention', retention)}
        />
        <SaveButtons
          dirty={form.isDirty() && isRetention(values.retention)}
          saving={save.isPending}
          discard={form.reset}
          what="reading and keeping"
        />
      </Stack>
    </form>
  )
}

interface SaveProps {
  dirty: boolean
  saving: boolean
  discard: () => void
  what: string
}

function SaveButtons({ dirty, saving, discard, what }: SaveProps) {
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" disabled={!dirty || saving} onClick={discard} aria-label={`Discard ${what}`}>
        Discard
      </Button>
      <Button type="submit" disabled={!dirty} loading={saving} aria-label={`Save ${what}`}>
        Save
      </Button>
    </Group>
  )
}
