import { Button, Group as Row, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupSettingValue, PermissionSetting } from '../../server/contract.ts'
import type { RealmState } from '../live.ts'
import { notifyFailure, notifySuccess } from './notify.tsx'
import classes from './permission-form.module.css'
import { isSameValue, PermissionPicker } from './permission-picker.tsx'

export interface PermissionLabel<Name extends string> {
  name: Name
  label: string
  description: string
}

type Values<Name extends string> = Record<Name, GroupSettingValue>

interface FieldsProps<Name extends string> {
  labels: readonly PermissionLabel<Name>[]
  rules: Record<string, PermissionSetting>
  state: RealmState
  values: Partial<Values<Name>>
  onChange: (values: Partial<Values<Name>>) => void
  disabled?: boolean
}

/** A picker for each permission. One that has no value is left out. */
export function PermissionFields<Name extends string>({
  labels,
  rules,
  state,
  values,
  onChange,
  disabled = false,
}: FieldsProps<Name>) {
  return (
    <div className={classes.permissions}>
      {labels.map(({ name, label, description }) => {
        const [rule, value] = [rules[name], values[name]]
        return (
          rule &&
          value !== undefined && (
            <PermissionPicker
              key={name}
              label={label}
              description={description}
              state={state}
              rules={rule}
              value={value}
              onChange={(next) => onChange({ ...values, [name]: next })}
              disabled={disabled}
            />
          )
        )
      })}
    </div>
  )
}

interface Props<Name extends string> {
  labels: readonly PermissionLabel<Name>[]
  rules: Record<string, PermissionSetting>
  state: RealmState
  kept: Values<Name>
  disabled: boolean
  /** Sends what was changed, each with what it was changed from. */
  send: (changes: Record<string, { new: GroupSettingValue; old: GroupSettingValue }>) => Promise<unknown>
  /** What to say when it is saved. */
  saved: string
}

/** Who may do what with one thing. Only what was changed is sent. */
export function PermissionForm<Name extends string>({ kept, send, saved, disabled, ...fields }: Props<Name>) {
  const [changes, setChanges] = useState<Partial<Values<Name>>>({})
  const values = { ...kept, ...changes }
  const changed = fields.labels
    .map(({ name }) => name)
    .filter((name) => !isSameValue(values[name], kept[name]))
  const save = useMutation({
    mutationFn: () =>
      send(Object.fromEntries(changed.map((name) => [name, { new: values[name], old: kept[name] }]))),
    onSuccess: () => {
      setChanges({})
      notifySuccess(saved)
    },
    onError: notifyFailure,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (changed.length > 0) save.mutate()
      }}
    >
      <Stack gap="lg">
        <PermissionFields {...fields} values={values} onChange={setChanges} disabled={disabled} />
        {!disabled && (
          <Row justify="flex-end" gap="sm">
            <Button variant="default" disabled={changed.length === 0} onClick={() => setChanges({})}>
              Discard
            </Button>
            <Button type="submit" disabled={changed.length === 0} loading={save.isPending}>
              Save permissions
            </Button>
          </Row>
        )}
      </Stack>
    </form>
  )
}
