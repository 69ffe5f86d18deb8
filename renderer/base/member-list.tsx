// What lists of members have in common: a form to add some, a search where they are many, a button to remove each.

import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import type { DataTableColumn } from 'mantine-datatable'
import type { ReactNode } from 'react'
import classes from './member-list.module.css'
import { Search } from './search.tsx'
import { HiddenTitle } from './table.tsx'

/** From so many on a list can be searched. */
const MANY = 8

interface RemoveColumn<Row> {
  hidden: boolean
  nameOf: (row: Row) => string
  isBusy: (row: Row) => boolean
  remove: (row: Row) => void
}

export function removeColumn<Row>({
  hidden,
  nameOf,
  isBusy,
  remove,
}: RemoveColumn<Row>): DataTableColumn<Row> {
  return {
    accessor: 'remove',
    title: <HiddenTitle>Remove</HiddenTitle>,
    width: 64,
    textAlign: 'right',
    hidden,
    render: (row) => (
      <Tooltip label="Remove">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${nameOf(row)}`}
          loading={isBusy(row)}
          onClick={() => remove(row)}
        >
          <IconUserMinus size={17} />
        </ActionIcon>
      </Tooltip>
    ),
  }
}

interface SearchProps {
  /** How many there are in all. */
  among: number
  label: string
  value: string
  onChange: (search: string) => void
}

export function MemberSearch({ among, ...search }: SearchProps) {
  if (among <= MANY) return null
  return (
    <div className={classes.bar}>
      <Search placeholder="Search by name" {...search} />
    </div>
  )
}

interface AddProps {
  /** How many are chosen; nothing can be added before one is. */
  count: number
  adding: boolean
  add: () => void
  /** The field to choose them with. */
  children: ReactNode
}

export function AddForm({ count, adding, add, children }: AddProps) {
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault()
        if (count > 0) add()
      }}
    >
      <div className={classes.grow}>{children}</div>
      <Button type="submit" disabled={count === 0} loading={adding}>
        {count > 1 ? `Add ${count}` : 'Add'}
      </Button>
    </form>
  )
}
