import { Text, Typography } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RealmClient } from '../../api.ts'
import classes from './channels.module.css'

/** Whether a text has any Markdown: a plain one looks like what was typed. */
const hasMarkup = (source: string): boolean => /[*_`~[\]#:@<>|$]|https?:/.test(source)

/** What becomes of a description. It is the server that knows. */
export function DescriptionPreview({ client, source }: { client: RealmClient; source: string }) {
  const [settled] = useDebouncedValue(source.trim(), 300)
  const shown = hasMarkup(settled)
  const { data } = useQuery({
    queryKey: ['rendered', client.realm, settled],
    queryFn: ({ signal }) =>
      client.call<{ rendered: string }>('POST', '/messages/render', { content: settled }, { signal }),
    enabled: shown,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!shown || !data) return null
  return (
    <div className={classes.preview}>
      <Text size="xs" c="dimmed" mb={2}>
        Preview
      </Text>
      <Rendered html={data.rendered} />
    </div>
  )
}

/** What this server has rendered: it makes all of its HTML itself, and lets nobody’s through. */
export function Rendered({ html }: { html: string }) {
  return (
    <Typography className={classes.rendered}>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </Typography>
  )
}
