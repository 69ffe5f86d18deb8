import { IconAlertTriangle } from '@tabler/icons-react'
import { Age } from '../base/time.tsx'
import { useServer } from './queries.ts'
import classes from './storage-banner.module.css'

/** Says why nothing can be saved, for as long as it is so. */
export function StorageBanner() {
  const { data } = useServer()
  const storage = data?.storage
  if (!storage || storage.ok) return null
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={20} aria-hidden="true" />
      <p>
        <strong>Nothing can be saved: {storage.cause}.</strong> Reading goes on, and saving by itself as soon
        as that is put right. For <Age since={storage.since} /> now.
      </p>
    </div>
  )
}
