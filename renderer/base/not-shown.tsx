import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { RealmState } from '../live.ts'
import { Page } from './page.tsx'
import { Empty, Failure, TableSkeleton } from './states.tsx'

interface Props {
  /** "group": one of those that `back` leads to. */
  what: string
  back: { to: string; label: string }
  icon: ReactNode
  live: { state: RealmState | undefined; problem: Error | null; retry: () => void }
}

/** The page about one thing of many while it is not loaded, or where there is no such thing. */
export function NotShown({ what, back, icon, live: { state, problem, retry } }: Props) {
  return (
    <Page title={what.charAt(0).toUpperCase() + what.slice(1)} back={back}>
      <div className="card">
        {!state && problem && (
          <Failure title={`The ${what} could not be loaded`} error={problem} onRetry={retry} />
        )}
        {!state && !problem && <TableSkeleton label={`Loading the ${what}`} />}
        {state && (
          <Empty
            icon={icon}
            title={`There is no such ${what}`}
            action={
              <Button component={Link} href={back.to} variant="default">
                See all {what}s
              </Button>
            }
          />
        )}
      </div>
    </Page>
  )
}
