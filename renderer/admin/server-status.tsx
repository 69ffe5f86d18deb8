import { Text } from '@mantine/core'
import { Age } from '../base/time.tsx'
import { useConnectionLost } from '../base/use-connection.ts'
import { useServer } from './queries.ts'
import classes from './server-status.module.css'

export function ServerStatus() {
  const lost = useConnectionLost()
  const { data: server } = useServer()
  return (
    <div className={classes.status}>
      <StatusDot lost={lost} />
      <div className={classes.words}>
        <Text size="sm" fw={500}>
          {lost ? 'Not answering' : 'Server running'}
        </Text>
        <Text size="xs" c="dimmed" className="clip">
          {server ? (
            <>
              Version {server.version}
              {!lost && (
                <>
                  {' · up '}
                  <Age since={server.started_at} />
                </>
              )}
            </>
          ) : (
            '\u00a0'
          )}
        </Text>
      </div>
    </div>
  )
}

export function StatusDot({ lost }: { lost: boolean }) {
  return <span className={classes.dot} data-lost={lost || undefined} aria-hidden="true" />
}
