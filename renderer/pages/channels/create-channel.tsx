import { Button, Collapse, Group, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChannelPermission, GroupSettingValue } from '../../../server/contract.ts'
import { ApiError, type RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { showFormError } from '../../base/forms.ts'
import { membersOf } from '../../base/groups.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { PermissionFields } from '../../base/permission-form.tsx'
import { PrincipalSelect, type Principals } from '../../base/principals.tsx'
import type { RealmState } from '../../live.ts'
import {
  ChannelFields,
  channelPermissionLabels,
  channelRules,
  isRetention,
  PrivacyChoice,
  type Retention,
  RetentionField,
  retentionParam,
} from './channel-fields.tsx'
import { flagsOf, isPrivate, type PrivacyKind } from './privacy.ts'

export function openCreateChannel(client: RealmClient, state: RealmState): void {
  const modalId = openDialog({
    title: 'Create channel',
    size: 'lg',
    children: <CreateChannel client={client} state={state} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  close: () => void
}

interface Subscribed {
  subscribed: Record<string, string[]>
  already_subscribed: Record<string, string[]>
}

interface Values {
  name: string
  description: string
  privacy: PrivacyKind
  everybody: boolean
  people: Principals
  isDefault: boolean
  announce: boolean
  retention: Retention
  permissions: Partial<Record<ChannelPermission, GroupSettingValue>>
}

function CreateChannel({ client, state, close }: Props) {
  const [more, setMore] = useState(false)
  const usual = usualPermissions(state)
  const announcedIn = state.channels.get(state.settings.realm_new_stream_announcements_stream_id)
  const form = useForm<Values>({
    initialValues: {
      name: '',
      description: '',
      privacy: 'public',
      everybody: true,
      people: { users: [state.me], groups: [] },
      isDefault: false,
      announce: true,
      retention: null,
      permissions: usual,
    },
    validate: {
      ...channelRules(state),
      name: (value: string) => channelRules(state).name(value) ?? takenProblem(state, value),
    },
  })
  const { values, setFieldValue } = form
  const closed = isPrivate(values.privacy)
  const everybody = values.everybody && !closed
  const create = useMutation({
    mutationFn: async (wanted: Values) => {
      const principals = everybody ? activePeople(state) : peopleIn(state, wanted.people)
      const reply = await client.call<Subscribed>('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: wanted.name.trim(), description: wanted.description.trim() }],
        ...flagsOf(wanted.privacy),
        principals,
        is_default_stream: wanted.isDefault && !closed,
        announce: wanted.announce && !closed && announcedIn !== undefined,
        ...(wanted.retention !== null && { message_retention_days: retentionParam(wanted.retention) }),
        // What was left as it is follows from who creates the channel.
        ...Object.fromEntries(
          Object.entries(wanted.permissions).filter(
            ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name as ChannelPermission]),
          ),
        ),
      })
      // The call that creates is also the one that subscribes: success may mean "you are in it already".
      if (Object.values(reply.subscribed).flat().length === 0)
        throw new ApiError(400, 'BAD_REQUEST', 'A channel of this name is there already.', { field: 'name' })
    },
    onSuccess: (_reply, { name }) => {
      close()
      notifySuccess(`#${name.trim()} is open.`)
    },
    onError: (error) => showFormError(form, error, { name: /name|channel/i, description: /description/i }),
  })
  return (
    <form onSubmit={form.onSubmit((wanted) => create.mutate(wanted))} noValidate>
      <Stack>
        <ChannelFields
          client={client}
          name={form.getInputProps('name')}
          description={form.getInputProps('description')}
        />
        <PrivacyChoice
          state={state}
          value={values.privacy}
          onChange={(privacy) => setFieldValue('privacy', privacy)}
        />
        <Switch
          label="Subscribe everybody now"
          description={
            closed
              ? 'Not where it is private: choose who is in it'
              : `${activePeople(state).length} people; newcomers join by themselves`
          }
          checked={everybody}
          disabled={closed}
          onChange={(event) => setFieldValue('everybody', event.currentTarget.checked)}
        />
        {!everybody && (
          <PrincipalSelect
            label="Subscribers"
            description="Of a group, everybody who is in it now. With nobody chosen it is you alone."
            placeholder={
              values.people.users.length + values.people.groups.length === 0 ? 'Search by name' : ''
            }
            state={state}
            users={[...state.users.values()].filter((user) => user.is_active)}
            groups={[...state.groups.values()].filter(isChoosable)}
            value={values.people}
            onChange={(people) => setFieldValue('people', people)}
          />
        )}
        <Switch
          label="Default channel"
          description={closed ? 'Not where it is private' : 'Everybody who comes later is subscribed to it'}
          checked={values.isDefault && !closed}
          disabled={closed}
          onChange={(event) => setFieldValue('isDefault', event.currentTarget.checked)}
        />
        {announcedIn && (
          <Switch
            label={`Announce it in #${announcedIn.name}`}
            checked={values.announce && !closed}
            disabled={closed}
            onChange={(event) => setFieldValue('announce', event.currentTarget.checked)}
          />
        )}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            rightSection={<IconChevronDown size={15} />}
            aria-expanded={more}
            onClick={() => setMore(!more)}
          >
            Permissions and retention
          </Button>
          <Collapse expanded={more}>
            <Stack mt="sm">
              <RetentionField
                state={state}
                value={values.retention}
                onChange={(retention) => setFieldValue('retention', retention)}
              />
              <PermissionFields
                labels={channelPermissionLabels}
                rules={state.permissions.stream}
                state={state}
                values={values.permissions}
                onChange={(permissions) => setFieldValue('permissions', permissions)}
              />
            </Stack>
          </Collapse>
        </div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!isRetention(values.retention)}>
            Create channel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What the permissions of a channel are when its creator does not say. */
function usualPermissions(state: RealmState): Values['permissions'] {
  const permissions: Values['permissions'] = {}
  for (const { name } of channelPermissionLabels) {
    const usual = state.permissions.stream[name]?.default_group_name
    const group = [...state.groups.values()].find((one) => one.is_system_group && one.name === usual)
    if (usual === 'channel_creator') permissions[name] = { direct_members: [state.me], direct_subgroups: [] }
    else if (group) permissions[name] = group.id
  }
  return permissions
}

function activePeople(state: RealmState): number[] {
  return [...state.users.values()]
    .filter((user) => user.is_active && !user.is_bot && user.role < 600)
    .map(({ user_id }) => user_id)
}

/** Users, and the active members of groups. */
export function peopleIn(state: RealmState, { users, groups }: Principals): number[] {
  const members = groups.flatMap((id) => [...membersOf(state.groups, id)])
  return [...new Set([...users, ...members])].filter((id) => state.users.get(id)?.is_active)
}

/** Whether a group has members that can be named. */
export const isChoosable = (group: {
  deactivated: boolean
  is_system_group: boolean
  name: string
}): boolean => !group.deactivated && group.name !== 'role:nobody' && group.name !== 'role:internet'

function takenProblem(state: RealmState, name: string): string | null {
  const wanted = name.trim().toLowerCase()
  const taken = [...state.channels.values()].find((channel) => channel.name.toLowerCase() === wanted)
  if (!taken) return null
  return taken.is_archived ? 'An archived channel has this name.' : 'A channel of this name is there already.'
}
