import { Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { type ReactNode, useState } from 'react'
import { formatCount } from './format.ts'
import { Pages } from './pages.tsx'
import classes from './table.module.css'

export interface Order<Column extends string> {
  columnAccessor: Column
  direction: 'asc' | 'desc'
}

interface Props<Row, Column extends string> {
  rows: Row[]
  idAccessor: string
  columns: DataTableColumn<Row>[]
  order: Order<Column>
  onOrder: (order: Order<Column>) => void
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
        columns={columns.map((column) => withSorting(column, order, onOrder))}
        idAccessor={idAccessor}
        maxHeight={maxHeight}
      />
      {pages > 1 && (
        <Group className={classes.footer} justify="space-between">
          <Text size="sm" c="dimmed" className="numeric">
            {formatCount(first + 1)}–{formatCount(last)} of {formatCount(rows.length)}
          </Text>
          <Pages total={pages} value={shown} onChange={setPage} />
        </Group>
      )}
    </>
  )
}

/**
 * The library's own sorting makes the header cell a button, and then it is no header any more to a screen reader;
 * here the cell stays one and holds the button.
 */
function withSorting<Row, Column extends string>(
  column: DataTableColumn<Row>,
  order: Order<Column>,
  onOrder: (order: Order<Column>) => void,
): DataTableColumn<Row> {
  if (!column.sortable) return column
  const columnAccessor = column.accessor as Column
  const direction = order.columnAccessor === columnAccessor ? order.direction : null
  const turn = () => onOrder({ columnAccessor, direction: direction === 'asc' ? 'desc' : 'asc' })
  return {
    ...column,
    sortable: false,
    title: (
      <SortButton direction={direction} onClick={turn}>
        {column.title}
      </SortButton>
    ),
  }
}

interface SortButtonProps {
  direction: 'asc' | 'desc' | null
  onClick: () => void
  children: ReactNode
}

function SortButton({ direction, onClick, children }: SortButtonProps) {
  return (
    <UnstyledButton className={classes.sort} data-sorted={direction ?? undefined} onClick={onClick}>
      {children}
      {direction === 'desc' ? <IconArrowDown size={14} /> : <IconArrowUp size={14} />}
      {direction && <VisuallyHidden>{direction === 'asc' ? ', ascending' : ', descending'}</VisuallyHidden>}
    </UnstyledButton>
  )
}

/** A column of buttons has no title to see, but has one to hear. */
export function HiddenTitle({ children }: { children: string }) {
  return <VisuallyHidden>{children}</VisuallyHidden>
}
