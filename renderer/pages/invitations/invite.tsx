import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type RealmClient } from '../../api.ts'
import { CopyField } from '../../base/copy.tsx'
import { openDialog } from '../../base/dialog.ts'
import { emailProblem, showFormError } from '../../base/forms.ts'
import { mayManageGroup } from '../../base/groups.ts'
import { messageOf, notifyFailure } from '../../base/notify.tsx'
import { PrincipalSelect, type Principals } from '../../base/principals.tsx'
import type { RealmState } from '../../live.ts'
import { roles } from '../users/roles.ts'
import type { Invitation } from './use-invitations.ts'

export interface Ways {
  link: boolean
  address: boolean
}

export function openInvite(client: RealmClient, state: RealmState, ways: Ways): void {
  const modalId = openDialog({
    title: 'Invite people',
    size: 'lg',
    children: <Invite client={client} state={state} ways={ways} close={() => modals.close(modalId)} />,
  })
}

/** In minutes. */
const lives = [
  { value: '1440', label: 'After 1 day' },
  { value: '4320', label: 'After 3 days' },
  { value: '14400', label: 'After 10 days' },
  { value: '43200', label: 'After 30 days' },
  { value: 'null', label: 'Never' },
]

interface Props {
  client: RealmClient
  state: RealmState
  ways: Ways
  close: () => void
}

function Invite({ client, state, ways, close }: Props) {
  const groups: Principals = { users: [], groups: [] }
  const form = useForm({
    initialValues: {
      way: ways.link ? 'link' : 'address',
      invitee_emails: '',
      role: '400',
      life: '14400',
      channels: [] as string[],
      groups,
      defaults: true,
    },
    validate: {
      invitee_emails: (value, { way }) => (way === 'address' ? addressesProblem(value) : null),
    },
  })
  const { values } = form
  const invite = useMutation({
    mutationFn: async () => {
      const offer = {
        invite_as: Number(values.role),
        stream_ids: values.channels.map(Number),
        group_ids: values.groups.groups,
        include_realm_default_subscriptions: values.defaults,
        invite_expires_in_minutes: values.life,
      }
      if (values.way === 'link')
        return {
          link: (await client.call<{ invite_link: string }>('POST', '/invites/multiuse', offer)).invite_link,
        }
      const emails = addressesIn(values.invitee_emails)
      await client.call('POST', '/invites', { ...offer, invitee_emails: emails.join('\n') })
      return { emails }
    },
    onSuccess: ({ link, emails }) => {
      close()
      if (link !== undefined) showLinks([{ label: 'Link', url: link }])
      else linksFor(client, emails ?? []).then(showLinks, notifyFailure)
    },
    onError: (error) => {
      const refused = refusedIn(error)
      if (refused) form.setFieldError('invitee_emails', refused)
      else showFormError(form, error, { invitee_emails: /email|address/i, role: /owner|administrator/i })
    },
  })
  const channels = [...state.channels.values()].filter((channel) => !channel.is_archived)
  const defaults = new Set(state.snapshot.realm_default_streams)
  const names = channels.filter(({ stream_id }) => defaults.has(stream_id)).map(({ name }) => `#${name}`)
  return (
    <form onSubmit={form.onSubmit(() => invite.mutate())} noValidate>
      <Stack>
        {ways.link && ways.address && (
          <SegmentedControl
            fullWidth
            aria-label="How to invite"
            data={[
              { value: 'link', label: 'A link for many' },
              { value: 'address', label: 'Certain addresses' },
            ]}
            {...form.getInputProps('way')}
          />
        )}
        {values.way === 'link' ? (
          <Text size="sm" c="dimmed">
            Whoever has the link can join, until it ends or you revoke it.
          </Text>
        ) : (
          <Textarea
            label="Email addresses"
            description="One on each line, or with commas between. No mail is sent: each gets a link that you hand on."
            placeholder={'ann@example.org\nbob@example.org'}
            autosize
            minRows={2}
            maxRows={8}
            data-autofocus
            {...form.getInputProps('invitee_emails')}
          />
        )}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select
            label="They join as"
            miw={200}
            data={offeredRoles(state).map(({ value, label }) => ({ value: String(value), label }))}
            allowDeselect={false}
            comboboxProps={{ shadow: 'md' }}
            {...form.getInputProps('role')}
          />
          <Select
            label="It ends"
            miw={200}
            data={lives}
            allowDeselect={false}
            comboboxProps={{ shadow: 'md' }}
            {...form.getInputProps('life')}
          />
        </Group>
        <MultiSelect
          label="Channels"
          placeholder={values.channels.length === 0 ? 'Search by name' : ''}
          data={channels
            .map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))
            .sort((a, b) => a.label.localeCompare(b.label))}
          searchable
          limit={60}
          hidePickedOptions
          nothingFoundMessage="No channel of that name"
          comboboxProps={{ shadow: 'md' }}
          {...form.getInputProps('channels')}
        />
        <Checkbox
          label="And the default channels"
          description={names.length === 0 ? 'There is none at the moment' : names.join(', ')}
          {...form.getInputProps('defaults', { type: 'checkbox' })}
        />
        <PrincipalSelect
          label="Groups"
          placeholder={values.groups.groups.length === 0 ? 'Search by name' : ''}
          state={state}
          users={[]}
          groups={[...state.groups.values()].filter((group) => mayManageGroup(state, group))}
          value={values.groups}
          onChange={(chosen) => form.setFieldValue('groups', chosen)}
          nothingFoundMessage="No group of that name"
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {values.way === 'link' ? 'Create link' : 'Invite'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Only owners make owners, and only administrators make moderators and administrators. */
function offeredRoles({ users, me }: RealmState) {
  const own = users.get(me)?.role ?? 400
  return roles.filter(({ value }) => (value === 100 ? own === 100 : value <= 300 ? own <= 200 : true))
}

const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\s]+/)
      .map((email) => email.trim())
      .filter(Boolean),
  ),
]

function addressesProblem(text: string): string | null {
  const emails = addressesIn(text)
  if (emails.length === 0) return 'Enter at least one email address.'
  const wrong = emails.find((email) => emailProblem(email) !== null)
  return wrong === undefined ? null : `“${wrong}” is not an email address.`
}

/** Who could not be invited, and why. */
function refusedIn(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'INVITATION_FAILED') return null
  const refused = error.data.errors as [email: string, reason: string][]
  const rest = error.data.sent_invitations ? ' The others are invited.' : ''
  return `${refused.map(([email, reason]) => `${email}: ${reason}`).join(' ')}${rest}` || messageOf(error)
}

interface Shown {
  label: string
  url: string
}

async function linksFor(client: RealmClient, emails: readonly string[]): Promise<Shown[]> {
  const { invites } = await client.call<{ invites: Invitation[] }>('GET', '/invites')
  const wanted = new Set(emails.map((email) => email.toLowerCase()))
  return invites.flatMap(({ email, link_url }) =>
    email !== undefined && link_url !== undefined && wanted.has(email.toLowerCase())
      ? [{ label: email, url: link_url }]
      : [],
  )
}

function showLinks(links: readonly Shown[]): void {
  const modalId = openDialog({
    title: links.length === 1 ? 'The invitation is ready' : `${links.length} invitations are ready`,
    size: 'lg',
    children: (
      <Stack>
        <Text size="sm" c="dimmed">
          {links.length === 1 ? 'Hand this link on.' : 'Hand each their own link on.'} You find it under
          Invitations again, until it ends.
        </Text>
        <Stack gap="sm" mah={360} style={{ overflowY: 'auto' }} tabIndex={links.length > 4 ? 0 : undefined}>
          {links.map(({ label, url }) => (
            <CopyField
              key={url}
              label={label}
              value={url}
              what={links.length === 1 ? 'link' : `link for ${label}`}
            />
          ))}
        </Stack>
        <Alert color="yellow" variant="light">
          Whoever has the link can join with it, as far as the server can be reached from where they are.
        </Alert>
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    ),
  })
}
