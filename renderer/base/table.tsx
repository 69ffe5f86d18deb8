import { Group, Pagination, Text, VisuallyHidden } from '@mantine/core'
import { DataTable, type DataTableColumn, type DataTableSortStatus } from 'mantine-datatable'
import { useState } from 'react'
import { formatCount } from './format.ts'
import classes from './table.module.css'

interface Props<Row, Column extends string> {
  rows: Row[]
  idAccessor: string
  columns: DataTableColumn<Row>[]
  order: { columnAccessor: Column; direction: 'asc' | 'desc' }
  onOrder: (order: { columnAccessor: Column; direction: 'asc' | 'desc' }) => void
  /** Rows on one page; without it the table scrolls in `maxHeight`. */
  pageSize?: number
  maxHeight?: number
}

/** How every table looks and pages. It stands in a card, which has the border. */
export function DataGrid<Row, Column extends string>(props: Props<Row, Column>) {
  const { rows, idAccessor, columns, order, onOrder, pageSize = Number.POSITIVE_INFINITY, maxHeight } = props
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  // Rows may have gone since the page was chosen.
  const shown = Math.min(page, pages)
  const first = pages > 1 ? (shown - 1) * pageSize : 0
  const last = pages > 1 ? Math.min(first + pageSize, rows.length) : rows.length
  return (
    <>
      <DataTable
        className={classes.table}
        withTableBorder={false}
        verticalSpacing="xs"
        horizontalSpacing="md"
        highlightOnHover
        highlightOnHoverColor="var(--parley-hover)"
        backgroundColor="var(--parley-card)"
        borderColor="var(--parley-line)"
        rowBorderColor="var(--parley-line)"
        noRecordsText=""
        records={rows.slice(first, last)}
        columns={columns}
        idAccessor={idAccessor}
        // The library wants paths into the record here; ours are the accessors of `columns`.
        sortStatus={order as DataTableSortStatus<Row>}
        onSortStatusChange={(status) => onOrder(status as unknown as Props<Row, Column>['order'])}
        maxHeight={maxHeight}
      />
      {pages > 1 && (
        <Group className={classes.footer} justify="space-between">
          <Text size="sm" c="dimmed" className="numeric">
            {formatCount(first + 1)}–{formatCount(last)} of {formatCount(rows.length)}
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={shown}
            onChange={setPage}
            aria-label="Pages"
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </>
  )
}

/** A column of buttons has no title to see, but has one to hear. */
export function HiddenTitle({ children }: { children: string }) {
  return <VisuallyHidden>{children}</VisuallyHidden>
}
