import { Select, Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useRealms } from '../../admin/queries.ts'
import { useIsOperator, useSession } from '../../admin/session-context.tsx'
import { Page } from '../../base/page.tsx'
import { Failure } from '../../base/states.tsx'
import { paths } from '../../router.ts'
import { Breakdown } from './breakdown.tsx'
import { Queues } from './queues.tsx'
import { RateChart } from './rate-chart.tsx'
import { Tail } from './tail.tsx'
import { Tiles } from './tiles.tsx'
import { useActivity } from './use-activity.ts'
import { usePeople } from './use-people.ts'
import classes from './activity.module.css'

export function Activity({ realm }: { realm: string | null }) {
  const session = useSession()
  const scope = session.kind === 'operator' ? realm : session.realm
  const { state, refused } = useActivity(scope)
  const realms = useMemo(
    () =>
      [...new Set([...(state?.queues.values() ?? []), ...(state?.tail ?? [])].map((item) => item.realm))]
        .sort()
        .join('/'),
    [state],
  )
  const people = usePeople(useMemo(() => realms.split('/').filter(Boolean), [realms]))
  const { data: all } = useRealms()
  const showRealm = scope === null && (all?.length ?? 0) > 1
  return (
    <Page
      title="Activity"
      description="Every live event queue and what flows through it, as it happens"
      actions={<Scope realm={realm} />}
    >
      {!state && refused ? (
        <div className="card">
          <Failure
            title="The activity stream could not be opened"
            error="The server refused it. This page asks again every few seconds."
            onRetry={() => window.location.reload()}
          />
        </div>
      ) : (
        <>
          <Tiles state={state} />
          <section className={`card ${classes.block}`} aria-labelledby="rate-title">
            {state ? <RateChart rates={state.rates} /> : <Skeleton h={271} radius="lg" />}
          </section>
          <Queues queues={state?.queues} showRealm={showRealm} />
          <Breakdown rates={state?.rates ?? []} />
          <Tail tail={state?.tail} people={people} showRealm={showRealm} key={scope} />
        </>
      )}
    </Page>
  )
}

const ALL = '*'

function Scope({ realm }: { realm: string | null }) {
  const operator = useIsOperator()
  const { data: realms } = useRealms()
  const [, navigate] = useLocation()
  if (!operator || !realms || realms.length < 2) return null
  return (
    <Select
      w={200}
      aria-label="Whose activity"
      data={[
        { value: ALL, label: 'All realms' },
        ...realms.map(({ name, display_name }) => ({ value: name, label: display_name })),
      ]}
      value={realm ?? ALL}
      onChange={(chosen) => navigate(paths.activity(chosen === ALL || chosen === null ? undefined : chosen))}
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
