import { ApiError } from '../../http/errors.ts'

/** The channel does not exist, or the user may not know that it does. */
export class ChannelDoesNotExistError extends ApiError {
  readonly code = 'STREAM_DOES_NOT_EXIST'
  override readonly data: { stream_id: number } | { stream: string }
  constructor(which: number | string) {
    super(
      typeof which === 'number'
        ? `Channel with ID '${which}' does not exist`
        : `Channel '${which}' does not exist`,
    )
    this.data = typeof which === 'number' ? { stream_id: which } : { stream: which }
  }
}
