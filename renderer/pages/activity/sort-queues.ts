import type { Order } from '../../base/table.tsx'
import type { QueueInfo } from './activity-state.ts'

export type QueueOrder = Order<'user_full_name' | 'client' | 'created_at' | 'pending' | 'size'>

/** "Age, ascending" puts the youngest first: the column shows ages, the record holds the birth. */
export function sortQueues(
  queues: Iterable<QueueInfo>,
  { columnAccessor, direction }: QueueOrder,
): QueueInfo[] {
  const sign = direction === 'asc' ? 1 : -1
  return [...queues].sort(
    (a, b) => sign * compare(a, b, columnAccessor) || a.queue_id.localeCompare(b.queue_id),
  )
}

function compare(a: QueueInfo, b: QueueInfo, column: QueueOrder['columnAccessor']): number {
  if (column === 'pending' || column === 'size') return a[column] - b[column]
  if (column === 'created_at') return b.created_at - a.created_at
  return a[column].localeCompare(b[column])
}
