import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

interface Props {
  title: string
  description?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  /** Without room around what is inside: for tables. */
  flush?: boolean
  children?: ReactNode
}

/** A part of a page, in a card of its own with a title. */
export function Section({ title, description, actions, flush = false, children }: Props) {
  const id = useId()
  return (
    <section className={`card ${classes.section}`} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={2} size={16} id={id}>
            {title}
          </Title>
          {description && (
            <Text component="div" size="sm" c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      <div className={children ? (flush ? classes.flush : classes.body) : classes.foot}>{children}</div>
    </section>
  )
}
