import { ActionIcon, Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { useIsOperator } from '../../admin/session-context.tsx'
import { adminApi } from '../../api.ts'
import { emailProblem, required, showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { useFollowedValues } from '../../base/use-followed-values.ts'
import { PrincipalSelect } from '../../base/principals.tsx'
import type { ProfileField, RealmState, Role, User } from '../../live.ts'
import { accountAddress, choicesIn } from '../profile-fields/field-types.ts'
import { roleProblem, roles } from './roles.ts'
import classes from './users.module.css'

interface Props {
  user: User
  state: RealmState
  disabled: boolean
}

/** Name, address, role and what stands in the profile. Only what was changed is sent. */
export function ProfileForm({ user, state, disabled }: Props) {
  const { realm, client } = useRealmLive()
  const operator = useIsOperator()
  const email = user.delivery_email ?? user.email
  const fields = user.is_bot ? [] : state.profileFields
  const current = {
    full_name: user.full_name,
    email,
    role: String(user.role),
    profile: Object.fromEntries(fields.map(({ id }) => [id, valueOf(user, id)])) as Record<string, string>,
  }
  const form = useForm({
    initialValues: current,
    validate: { full_name: required('a name'), email: emailProblem },
  })
  useFollowedValues(form, current)
  const { values } = form
  const profile_data = fields
    .map(({ id }) => ({ id, value: (values.profile[id] ?? '').trim() }))
    .filter(({ id, value }) => value !== valueOf(user, id))
  const changes = {
    ...(values.full_name.trim() !== user.full_name && { full_name: values.full_name.trim() }),
    ...(Number(values.role) !== user.role && { role: Number(values.role) }),
    ...(profile_data.length > 0 && { profile_data }),
  }
  const newEmail = values.email.trim() === email ? undefined : values.email.trim()
  const isChanged = newEmail !== undefined || Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: async () => {
      if (Object.keys(changes).length > 0) await client.call('PATCH', `/users/${user.user_id}`, changes)
      if (newEmail === undefined) return
      await adminApi.changeUser(realm, user.user_id, { email: newEmail })
      // This page may itself be signing its calls with the address that just ended.
      if (user.user_id === state.me) client.forget()
    },
    onSuccess: () => notifySuccess(`${values.full_name.trim()} is saved.`),
    onError: (error) =>
      showFormError(form, error, { email: /email/i, role: /role|owner|guest/i, full_name: /name/i }),
  })
  const mayChangeEmail = !user.is_bot && operator
  return (
    <form onSubmit={form.onSubmit(() => (isChanged ? save.mutate() : undefined))} noValidate>
      <Stack gap="lg">
        <div className={classes.fields}>
          <TextInput
            label="Full name"
            autoComplete="off"
            disabled={disabled}
            {...form.getInputProps('full_name')}
          />
          <TextInput
            label="Email"
            type="email"
            autoComplete="off"
            readOnly={!mayChangeEmail}
            variant={mayChangeEmail ? 'default' : 'filled'}
            description={!mayChangeEmail && !user.is_bot && 'Whoever runs the server can change it.'}
            disabled={disabled}
            {...form.getInputProps('email')}
          />
          <Select
            label="Role"
            data={roles.map(({ value, label }) => ({
              value: String(value),
              label,
              disabled: roleProblem(state, user, value) !== null,
            }))}
            renderOption={({ option }) => {
              const role = Number(option.value) as Role
              const said =
                roleProblem(state, user, role) ?? roles.find(({ value }) => value === role)?.description
              return (
                <div>
                  <div>{option.label}</div>
                  <div className={classes.detail}>{said}</div>
                </div>
              )
            }}
            allowDeselect={false}
            comboboxProps={{ shadow: 'md' }}
            disabled={disabled}
            {...form.getInputProps('role')}
          />
          {fields.map((field) => (
            <FieldInput
              key={field.id}
              field={field}
              state={state}
              disabled={disabled}
              value={values.profile[field.id] ?? ''}
              onChange={(value) => form.setFieldValue('profile', { ...values.profile, [field.id]: value })}
            />
          ))}
        </div>
        {!disabled && (
          <Group justify="flex-end" gap="sm">
            <Button variant="default" disabled={!isChanged} onClick={form.reset}>
              Discard
            </Button>
            <Button type="submit" disabled={!isChanged} loading={save.isPending}>
              Save profile
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

const valueOf = (user: User, fieldId: number): string => user.profile_data?.[fieldId]?.value ?? ''

interface FieldProps {
  field: ProfileField
  state: RealmState
  value: string
  onChange: (value: string) => void
  disabled: boolean
}

/** What is filled in for a profile field, by its type; always kept as the text that the interface speaks. */
function FieldInput({ field, state, value, onChange, disabled }: FieldProps) {
  const common = { label: field.name, description: field.hint, disabled }
  const text = {
    ...common,
    value,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  switch (field.type) {
    case 2:
      return <Textarea {...text} maxLength={500} autosize minRows={1} maxRows={6} />
    case 3:
      return (
        <Select
          {...common}
          data={choicesIn(field.field_data).map((choice) => ({ value: choice.key, label: choice.text }))}
          value={value || null}
          onChange={(chosen) => onChange(chosen ?? '')}
          placeholder="Nothing chosen"
          clearable
          clearButtonProps={{ 'aria-label': `Clear ${field.name}` }}
          comboboxProps={{ shadow: 'md' }}
        />
      )
    case 4:
      return <TextInput {...text} type="date" />
    case 5:
      return <TextInput {...text} type="url" placeholder="https://" />
    case 6: {
      const users = idsIn(value)
      return (
        <PrincipalSelect
          {...common}
          state={state}
          groups={[]}
          users={[...state.users.values()].filter((user) => user.is_active && !user.is_bot)}
          value={{ users, groups: [] }}
          placeholder={users.length === 0 ? 'Search by name' : ''}
          onChange={(next) => onChange(next.users.length === 0 ? '' : JSON.stringify(next.users))}
        />
      )
    }
    case 7: {
      const address = accountAddress(state.settings.realm_default_external_accounts, field.field_data, value)
      return (
        <TextInput
          {...text}
          maxLength={50}
          rightSection={
            address && (
              <ActionIcon
                component="a"
                href={address}
                target="_blank"
                rel="noreferrer"
                variant="subtle"
                color="gray"
                aria-label={`Open ${address}`}
              >
                <IconExternalLink size={17} />
              </ActionIcon>
            )
          }
        />
      )
    }
    default:
      return <TextInput {...text} maxLength={50} />
  }
}

function idsIn(value: string): number[] {
  try {
    return value ? (JSON.parse(value) as number[]) : []
  } catch {
    return []
  }
}
