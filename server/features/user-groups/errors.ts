import { ApiError } from '../../http/errors.ts'
import type { Objection } from './objections.ts'

/** The group holds permissions or is nested in another one. */
export class CannotDeactivateGroupInUseError extends ApiError {
  readonly code = 'CANNOT_DEACTIVATE_GROUP_IN_USE'
  override readonly data: { objections: Objection[] }
  constructor(objections: Objection[]) {
    super('Cannot deactivate user group in use.')
    this.data = { objections }
  }
}
