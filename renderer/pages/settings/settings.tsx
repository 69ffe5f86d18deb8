import { useRealmLive } from '../../admin/realm-live.tsx'
import { Page } from '../../base/page.tsx'
import { Failure, TableSkeleton } from '../../base/states.tsx'
import { Identity } from './identity.tsx'

export function Settings() {
  const { client, state, problem, retry } = useRealmLive()
  return (
    <Page title="Settings" description={state ? 'What holds for everybody in this realm' : '\u00a0'}>
      {!state && (
        <div className="card">
          {problem ? (
            <Failure title="The settings could not be loaded" error={problem} onRetry={retry} />
          ) : (
            <TableSkeleton label="Loading settings" />
          )}
        </div>
      )}
      {state && <Identity client={client} settings={state.settings} />}
    </Page>
  )
}
