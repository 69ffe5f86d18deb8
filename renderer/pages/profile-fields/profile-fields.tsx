import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconId, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import type { RealmClient } from '../../api.ts'
import { confirm } from '../../base/confirm.tsx'
import { formatQuantity } from '../../base/format.ts'
import { notifySuccess } from '../../base/notify.tsx'
import { OrderedList } from '../../base/ordered-list.tsx'
import { Page } from '../../base/page.tsx'
import { Empty, Failure, TableSkeleton } from '../../base/states.tsx'
import { Tag } from '../../base/tag.tsx'
import type { ProfileField, RealmState } from '../../live.ts'
import { openField } from './edit-field.tsx'
import { choicesIn, EXTERNAL, LIST, patternIn, typeOf } from './field-types.ts'

export function ProfileFields() {
  const { client, state, problem, retry } = useRealmLive()
  const fields = state?.profileFields
  const create = state && (() => openField(client, state, null))
  return (
    <Page
      title="Profile fields"
      description="What everybody can tell about themselves in their profile, in this order"
      actions={
        <Button leftSection={<IconPlus size={17} />} onClick={create} disabled={!create}>
          Create field
        </Button>
      }
    >
      <div className="card">
        {!fields && problem && (
          <Failure title="The fields could not be loaded" error={problem} onRetry={retry} />
        )}
        {!fields && !problem && <TableSkeleton label="Loading profile fields" rows={4} />}
        {fields?.length === 0 && (
          <Empty
            icon={<IconId size={24} />}
            title="No profile field yet"
            action={<Button onClick={create}>Create the first field</Button>}
          >
            A phone number, a team, a birthday: what people should know of each other beside the name.
          </Empty>
        )}
        {state && fields && fields.length > 0 && (
          <OrderedList
            label="Profile fields"
            items={fields}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            onOrder={(order) => client.call('PATCH', '/realm/profile_fields', { order })}
            actions={(field) => <Actions field={field} client={client} state={state} />}
          >
            {(field) => <Described field={field} />}
          </OrderedList>
        )}
      </div>
    </Page>
  )
}

function Described({ field }: { field: ProfileField }) {
  const details = [typeOf(field.type)?.label, detailOf(field), field.hint].filter(Boolean)
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {field.name}
        </Text>
        {field.required && <Tag>Required</Tag>}
        {field.display_in_profile_summary && <Tag>In summary</Tag>}
        {!field.editable_by_user && <Tag>Administrators fill it in</Tag>}
      </Group>
      <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
        {details.join(' · ')}
      </Text>
    </>
  )
}

function detailOf({ type, field_data }: ProfileField): string {
  if (type === EXTERNAL) return patternIn(field_data)
  if (type !== LIST) return ''
  const texts = choicesIn(field_data).map(({ text }) => text)
  return texts.length > 4 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ')
}

interface ActionsProps {
  field: ProfileField
  client: RealmClient
  state: RealmState
}

function Actions({ field, client, state }: ActionsProps) {
  return (
    <>
      <Tooltip label="Edit">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Edit ${field.name}`}
          onClick={() => openField(client, state, field)}
        >
          <IconPencil size={17} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${field.name}`}
          onClick={() => remove(client, state, field)}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

function remove(client: RealmClient, { users }: RealmState, field: ProfileField): void {
  const filled = [...users.values()].filter((user) => user.profile_data?.[field.id] !== undefined).length
  confirm({
    title: `Delete ${field.name}?`,
    body:
      filled === 0
        ? 'Nobody has filled it in.'
        : `What ${formatQuantity(filled, 'person has', 'people have')} filled in is deleted with it, for good.`,
    verb: 'Delete',
    danger: true,
    action: () => client.call('DELETE', `/realm/profile_fields/${field.id}`),
    done: () => notifySuccess(`${field.name} is deleted.`),
  })
}
