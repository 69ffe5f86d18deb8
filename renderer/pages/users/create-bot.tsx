import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { plain } from '../../base/format.ts'
import { required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { Bot, RealmState } from '../../live.ts'
import { addressProblem, botTypes, OUTGOING } from './bots.ts'
import { OwnerSelect } from './owner-select.tsx'

/** @param created goes to the new bot */
export function openCreateBot(
  client: RealmClient,
  state: RealmState,
  owner: number,
  created: (id: number) => void,
): void {
  const modalId = openDialog({
    title: 'Create bot',
    children: (
      <CreateBot
        client={client}
        state={state}
        owner={owner}
        close={() => modals.close(modalId)}
        created={created}
      />
    ),
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  owner: number
  close: () => void
  created: (id: number) => void
}

function CreateBot({ client, state, owner, close, created }: Props) {
  const shortNameEdited = useRef(false)
  const form = useForm({
    initialValues: { full_name: '', short_name: '', bot_type: '1', payload_url: '', owner: String(owner) },
    validate: {
      full_name: required('a name'),
      short_name: (value) =>
        /^[a-z0-9][a-z0-9._-]{0,59}$/i.test(value.trim()) ? null : 'Letters, digits, dots and dashes only.',
      payload_url: (value, { bot_type }) => (Number(bot_type) === OUTGOING ? addressProblem(value) : null),
    },
    onValuesChange: (values, before) => {
      if (values.full_name !== before.full_name && !shortNameEdited.current)
        form.setFieldValue('short_name', shortNameOf(values.full_name))
    },
  })
  const { values } = form
  const type = Number(values.bot_type)
  const create = useMutation({
    mutationFn: async () => {
      const bot = await client.call<Bot>('POST', '/bots', {
        full_name: values.full_name.trim(),
        short_name: values.short_name.trim(),
        bot_type: type,
        ...(type === OUTGOING && { payload_url: JSON.stringify(values.payload_url.trim()) }),
      })
      // Bots are made by their owner; this one is handed over at once.
      if (Number(values.owner) !== state.me)
        await client.call('PATCH', `/bots/${bot.user_id}`, { bot_owner_id: Number(values.owner) })
      return bot.user_id
    },
    onSuccess: (id) => {
      close()
      notifySuccess(`${values.full_name.trim()} is there.`)
      created(id)
    },
    onError: (error) =>
      showFormError(form, error, {
        payload_url: /payload|url/i,
        owner: /owner/i,
        short_name: /username|email/i,
        full_name: /name/i,
      }),
  })
  const shortName = form.getInputProps('short_name')
  return (
    <form onSubmit={form.onSubmit(() => create.mutate())} noValidate>
      <Stack>
        <TextInput
          label="Full name"
          placeholder="Build watcher"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('full_name')}
        />
        <TextInput
          label="Short name"
          description={`Its address becomes ${values.short_name.trim() || '…'}-bot@…`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...shortName}
          onChange={(event) => {
            shortNameEdited.current = event.currentTarget.value !== ''
            shortName.onChange(event)
          }}
        />
        <Select
          label="Type"
          description={botTypes.find(({ value }) => value === type)?.description}
          data={botTypes.map(({ value, label }) => ({ value: String(value), label }))}
          renderOption={({ option }) => (
            <div>
              <Text size="sm">{option.label}</Text>
              <Text size="xs" c="dimmed">
                {botTypes.find(({ value }) => String(value) === option.value)?.description}
              </Text>
            </div>
          )}
          allowDeselect={false}
          comboboxProps={{ shadow: 'md' }}
          {...form.getInputProps('bot_type')}
        />
        {type === OUTGOING && (
          <TextInput
            label="Address of its service"
            type="url"
            placeholder="https://hooks.example.org/parley"
            autoComplete="off"
            {...form.getInputProps('payload_url')}
          />
        )}
        <OwnerSelect state={state} {...form.getInputProps('owner')} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create bot
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const shortNameOf = (name: string): string =>
  plain(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
