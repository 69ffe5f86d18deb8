import { ApiError } from '../http/errors.ts'

/** The queue was collected after its idle time, dropped, or never was. The client registers again. */
export class BadEventQueueIdError extends ApiError {
  readonly code = 'BAD_EVENT_QUEUE_ID'
  override readonly data: { queue_id: string }
  constructor(id: string) {
    super(`Bad event queue ID: ${id}`)
    this.data = { queue_id: id }
  }
}
