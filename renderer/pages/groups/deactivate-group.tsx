import { Alert, Button, Group as Row, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type RealmClient } from '../../api.ts'
import { openDialog } from '../../base/dialog.ts'
import { groupLabel } from '../../base/groups.ts'
import { messageOf, notifySuccess } from '../../base/notify.tsx'
import type { Group, RealmState } from '../../live.ts'
import classes from './groups.module.css'
import { type Objection, wordsOf } from './objections.ts'

/** Asks, and says what the group is still needed for where it is. */
export function deactivateGroup(client: RealmClient, state: RealmState, group: Group): void {
  const modalId = openDialog({
    title: `Deactivate ${group.name}?`,
    size: 'md',
    children: <Question client={client} state={state} group={group} close={() => modals.close(modalId)} />,
  })
}

interface Props {
  client: RealmClient
  state: RealmState
  group: Group
  close: () => void
}

function Question({ client, state, group, close }: Props) {
  const deactivate = useMutation({
    mutationFn: () => client.call('POST', `/user_groups/${group.id}/deactivate`),
    onSuccess: () => {
      close()
      notifySuccess(`${groupLabel(group)} is deactivated.`)
    },
  })
  const { error } = deactivate
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Nobody can mention it or give it permissions any more. Messages that mention it stay as they are. It
        cannot be activated again here.
      </Text>
      {error && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={isInUse(error) ? 'It is still in use' : undefined}
        >
          {isInUse(error) ? (
            <Reasons state={state} objections={error.data.objections as Objection[]} />
          ) : (
            messageOf(error)
          )}
        </Alert>
      )}
      <Row justify="flex-end" gap="sm">
        <Button variant="default" onClick={close} data-autofocus>
          {error ? 'Close' : 'Cancel'}
        </Button>
        <Button color="red" onClick={() => deactivate.mutate()} loading={deactivate.isPending}>
          {error ? 'Try again' : 'Deactivate'}
        </Button>
      </Row>
    </Stack>
  )
}

const isInUse = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code === 'CANNOT_DEACTIVATE_GROUP_IN_USE'

function Reasons({ state, objections }: { state: RealmState; objections: readonly Objection[] }) {
  return (
    <>
      <Text size="sm">Take it out of these first:</Text>
      <ul className={classes.reasons}>
        {objections
          .flatMap((objection) => wordsOf(state, objection))
          .map((words) => (
            <li key={words}>{words}</li>
          ))}
      </ul>
    </>
  )
}
