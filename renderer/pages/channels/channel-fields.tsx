import { Group, NumberInput, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ChannelPermission } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import type { PermissionLabel } from '../../base/permission-form.tsx'
import type { RealmState } from '../../live.ts'
import { DescriptionPreview } from './description-preview.tsx'
import { privacies, type PrivacyKind, privacyWords, webPublicProblem } from './privacy.ts'

type Limits = Pick<RealmState, 'max_channel_name_length' | 'max_channel_description_length'>

export function channelRules(limits: Limits) {
  return {
    name: (value: string) =>
      !value.trim()
        ? 'Enter a name.'
        : value.trim().length > limits.max_channel_name_length
          ? `At most ${limits.max_channel_name_length} characters.`
          : null,
    description: (value: string) =>
      value.trim().length > limits.max_channel_description_length
        ? `At most ${limits.max_channel_description_length} characters.`
        : null,
  }
}

interface Props {
  client: RealmClient
  name: GetInputPropsReturnType
  description: GetInputPropsReturnType
}

export function ChannelFields({ client, name, description }: Props) {
  return (
    <>
      <TextInput label="Name" placeholder="marketing" autoComplete="off" data-autofocus {...name} />
      <div>
        <Textarea
          label="Description"
          placeholder="What belongs here"
          description="Shown under the channel’s name. Markdown works."
          autosize
          minRows={2}
          maxRows={6}
          {...description}
        />
        <DescriptionPreview client={client} source={String(description.value ?? '')} />
      </div>
    </>
  )
}

interface PrivacyProps {
  state: RealmState
  value: PrivacyKind
  onChange: (value: PrivacyKind) => void
  disabled?: boolean
}

export function PrivacyChoice({ state, value, onChange, disabled = false }: PrivacyProps) {
  const problem = webPublicProblem(state)
  return (
    <Radio.Group label="Who may read it" value={value} onChange={(chosen) => onChange(chosen as PrivacyKind)}>
      <Stack gap="sm" mt={8}>
        {privacies.map((kind) => {
          const { label, sentence } = privacyWords[kind]
          const closed = kind === 'web-public' && value !== kind ? problem : null
          return (
            <Radio
              key={kind}
              value={kind}
              label={label}
              description={closed ?? sentence}
              disabled={disabled || closed !== null}
            />
          )
        })}
      </Stack>
    </Radio.Group>
  )
}

/** Days; null: as the organization keeps them; -1: for ever. */
export type Retention = number | null

export const retentionParam = (value: Retention): number | string =>
  value === null ? 'realm_default' : value === -1 ? 'unlimited' : value

export const isRetention = (value: Retention): boolean =>
  value === null || value === -1 || (Number.isInteger(value) && value > 0)

interface RetentionProps {
  state: RealmState
  value: Retention
  onChange: (value: Retention) => void
}

export function RetentionField({ state, value, onChange }: RetentionProps) {
  const days = state.settings.realm_message_retention_days
  const usual = days === -1 ? 'for ever' : `${days} days`
  const which = value === null ? 'realm' : value === -1 ? 'ever' : 'days'
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <Select
        flex={1}
        label="Messages are kept"
        description="Older ones are deleted for good, once a day"
        data={[
          { value: 'realm', label: `As everywhere here: ${usual}` },
          { value: 'ever', label: 'For ever' },
          { value: 'days', label: 'For some days' },
        ]}
        value={which}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={(chosen) => onChange(chosen === 'realm' ? null : chosen === 'ever' ? -1 : 90)}
      />
      {which === 'days' && (
        <NumberInput
          w={120}
          aria-label="Days that messages are kept"
          min={1}
          max={36_500}
          allowDecimal={false}
          allowNegative={false}
          suffix={value === 1 ? ' day' : ' days'}
          value={value ?? ''}
          error={!isRetention(value)}
          onChange={(amount) => onChange(Number(amount) || 0)}
        />
      )}
    </Group>
  )
}

export const channelPermissionLabels: readonly PermissionLabel<ChannelPermission>[] = [
  { name: 'can_send_message_group', label: 'Who may post', description: 'Of those who are in it' },
  {
    name: 'can_administer_channel_group',
    label: 'Who may administer it',
    description: 'Besides administrators of the realm',
  },
  { name: 'can_add_subscribers_group', label: 'Who may add people', description: 'And come in themselves' },
  { name: 'can_subscribe_group', label: 'Who may come in by themselves', description: 'Where it is private' },
  {
    name: 'can_remove_subscribers_group',
    label: 'Who may remove people',
    description: 'Besides those who administer it',
  },
]
