import { Button } from '@mantine/core'
import { IconDoorOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../admin/queries.ts'
import { useIsOperator } from '../../admin/session-context.tsx'
import { adminApi, type Realm, realmClient } from '../../api.ts'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import { Page } from '../../base/page.tsx'
import { Empty } from '../../base/states.tsx'

/** Its owner has closed it; whoever runs the server can open it again. */
export function ClosedRealm({ realm: { name, display_name } }: { realm: Realm }) {
  const operator = useIsOperator()
  const queries = useQueryClient()
  const reopen = useMutation({
    mutationFn: () => adminApi.reopenRealm(name),
    onSuccess: () => {
      realmClient(name).forget()
      notifySuccess(`${display_name} is open again.`)
      return queries.invalidateQueries({ queryKey: keys.realms })
    },
    onError: notifyFailure,
  })
  return (
    <Page title={display_name}>
      <div className="card">
        <Empty
          icon={<IconDoorOff size={24} />}
          title="This realm is closed"
          action={
            operator && (
              <Button onClick={() => reopen.mutate()} loading={reopen.isPending}>
                Open it again
              </Button>
            )
          }
        >
          Nobody gets in. Everything in it is as it was when its owner closed it.
        </Empty>
      </div>
    </Page>
  )
}
