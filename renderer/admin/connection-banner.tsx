import { Loader, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useDesktopStatus } from '../base/desktop.ts'
import { Age } from '../base/time.tsx'
import { useConnection, useConnectionLost } from '../base/use-connection.ts'
import classes from './connection-banner.module.css'

/** Says that the server does not answer, and once more when it does again. It goes away by itself. */
export function ConnectionBanner() {
  const connectionLost = useConnectionLost()
  const { since } = useConnection()
  const app = useDesktopStatus()
  // The app knows at once, and a page that asks for nothing just now would not notice at all.
  const lost = connectionLost || app?.state === 'restarting' || (app?.state === 'starting' && !!app.problem)
  const [wasLost, setWasLost] = useState(false)
  useEffect(() => {
    if (lost) setWasLost(true)
  }, [lost])
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {lost ? 'Connection to the server lost. Trying again.' : wasLost ? 'Connected again.' : ''}
      </VisuallyHidden>
      {lost && (
        <div className={classes.banner}>
          <Loader size={14} color="currentColor" />
          <span>
            <strong>{app?.problem?.title ?? 'The server does not answer.'}</strong> Trying again…
          </span>
          <span className={classes.age}>
            <Age since={since / 1000} />
          </span>
        </div>
      )}
    </>
  )
}
