import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { showFormError } from '../../base/forms.ts'
import { notifySuccess } from '../../base/notify.tsx'
import type { ProfileField, RealmState } from '../../live.ts'
import { ChoicesEditor } from './choices-editor.tsx'
import {
  choicesIn,
  choicesProblem,
  CUSTOM,
  dataOfChoices,
  EXTERNAL,
  type FieldType,
  fieldTypes,
  LIST,
  patternIn,
  patternProblem,
  subtypeIn,
  typeOf,
} from './field-types.ts'

const MAX_NAME = 40
const MAX_HINT = 80
/** How many the short form of a profile has room for. */
const MAX_IN_SUMMARY = 2

/** @param field null: a new one */
export function openField(client: RealmClient, state: RealmState, field: ProfileField | null): void {
  const modalId = openDialog({
    title: field ? `Edit ${field.name}` : 'Create profile field',
    children: <EditField client={client} state={state} field={field} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  field: ProfileField | null
  close: () => void
}

function EditField({ client, state, field, close }: Props) {
  const others = state.profileFields.filter(({ id }) => id !== field?.id)
  const form = useForm({
    initialValues: {
      type: String(field?.type ?? 1),
      name: field?.name ?? '',
      hint: field?.hint ?? '',
      choices: field ? choicesIn(field.field_data) : [{ key: '', text: '' }],
      subtype: field ? subtypeIn(field.field_data) : CUSTOM,
      url_pattern: field ? patternIn(field.field_data) : '',
      required: field?.required ?? false,
      editable_by_user: field?.editable_by_user ?? true,
      display_in_profile_summary: field?.display_in_profile_summary ?? false,
    },
    validate: {
      name: (value) => nameProblem(others, value.trim()),
      hint: (value) => (value.trim().length > MAX_HINT ? `At most ${MAX_HINT} characters.` : null),
      choices: (choices, { type }) => (Number(type) === LIST ? choicesProblem(choices) : null),
      url_pattern: (value, { type, subtype }) =>
        Number(type) === EXTERNAL && subtype === CUSTOM ? patternProblem(value) : null,
    },
  })
  const { values } = form
  const type = Number(values.type) as FieldType
  const summary = summaryProblem(type, others)
  const services = state.settings.realm_default_external_accounts
  const chooseService = (subtype: string) => {
    const isUnnamed = !values.name || values.name === services[values.subtype]?.name
    form.setFieldValue('subtype', subtype)
    if (isUnnamed) form.setFieldValue('name', services[subtype]?.name ?? '')
  }
  const save = useMutation({
    mutationFn: () => {
      const fields = {
        name: values.name.trim(),
        hint: values.hint.trim(),
        required: values.required,
        editable_by_user: values.editable_by_user,
        display_in_profile_summary: values.display_in_profile_summary && summary === null,
        ...(type === LIST && { field_data: dataOfChoices(values.choices) }),
        ...(type === EXTERNAL && {
          field_data:
            values.subtype === CUSTOM
              ? { subtype: CUSTOM, url_pattern: values.url_pattern.trim() }
              : { subtype: values.subtype },
        }),
      }
      return field
        ? client.call('PATCH', `/realm/profile_fields/${field.id}`, fields)
        : client.call('POST', '/realm/profile_fields', { field_type: type, ...fields })
    },
    onSuccess: () => {
      close()
      notifySuccess(`${values.name.trim()} is saved.`)
    },
    onError: (error) =>
      showFormError(form, error, {
        url_pattern: /url_pattern|link/i,
        choices: /choice/i,
        hint: /hint/i,
        name: /label|name/i,
      }),
  })
  return (
    <form onSubmit={form.onSubmit(() => save.mutate())} noValidate>
      <Stack>
        <Select
          label="Type"
          description={field ? 'The type of a field cannot change.' : typeOf(type)?.description}
          data={fieldTypes.map(({ value, label }) => ({ value: String(value), label }))}
          renderOption={({ option }) => (
            <div>
              <Text size="sm" fw={500}>
                {option.label}
              </Text>
              <Text size="xs" c="dimmed">
                {typeOf(Number(option.value))?.description}
              </Text>
            </div>
          )}
          allowDeselect={false}
          disabled={field !== null}
          comboboxProps={{ shadow: 'md' }}
          {...form.getInputProps('type')}
        />
        <TextInput
          label="Name"
          placeholder="Phone number"
          autoComplete="off"
          maxLength={MAX_NAME}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Hint (optional)"
          description="Shown to those who fill it in"
          autoComplete="off"
          maxLength={MAX_HINT}
          {...form.getInputProps('hint')}
        />
        {type === LIST && (
          <ChoicesEditor
            choices={values.choices}
            onChange={(choices) => form.setFieldValue('choices', choices)}
            error={form.errors.choices}
          />
        )}
        {type === EXTERNAL && (
          <Select
            label="Service"
            data={[
              { value: CUSTOM, label: 'Another' },
              ...Object.entries(services).map(([value, { text }]) => ({ value, label: text })),
            ]}
            allowDeselect={false}
            comboboxProps={{ shadow: 'md' }}
            {...form.getInputProps('subtype')}
            onChange={(subtype) => chooseService(subtype ?? CUSTOM)}
          />
        )}
        {type === EXTERNAL && values.subtype === CUSTOM && (
          <TextInput
            label="Address of an account"
            description="%(username)s stands for the name that each fills in."
            placeholder="https://code.example.org/%(username)s"
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('url_pattern')}
          />
        )}
        <Stack gap="sm">
          <Checkbox
            label="Required"
            description="People who left it empty are asked to fill it in"
            {...form.getInputProps('required', { type: 'checkbox' })}
          />
          <Checkbox
            label="People fill it in themselves"
            description="Otherwise only administrators do"
            {...form.getInputProps('editable_by_user', { type: 'checkbox' })}
          />
          <Checkbox
            label="Show it in the summary of a profile"
            description={summary ?? 'Where a name is hovered or tapped'}
            disabled={summary !== null}
            checked={values.display_in_profile_summary && summary === null}
            onChange={(event) =>
              form.setFieldValue('display_in_profile_summary', event.currentTarget.checked)
            }
          />
        </Stack>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {field ? 'Save' : 'Create field'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function nameProblem(others: readonly ProfileField[], name: string): string | null {
  if (!name) return 'Enter a name.'
  if (name.length > MAX_NAME) return `At most ${MAX_NAME} characters.`
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  return isTaken ? 'A field of this name is there already.' : null
}

/** Why a field cannot stand in the summary; null when it can. */
function summaryProblem(type: FieldType, others: readonly ProfileField[]): string | null {
  if (!typeOf(type)?.fitsSummary) return 'There is no room for this type there.'
  const shown = others.filter((other) => other.display_in_profile_summary).map(({ name }) => name)
  return shown.length < MAX_IN_SUMMARY ? null : `There is room for two only: ${shown.join(' and ')}.`
}
