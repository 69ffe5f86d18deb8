import { ApiError } from '../../http/errors.ts'

export class CannotDeactivateLastUserError extends ApiError {
  readonly code = 'CANNOT_DEACTIVATE_LAST_USER'
  override readonly data = { is_last_owner: true, entity: 'organization owner' }
  constructor() {
    super('Cannot deactivate the only organization owner')
  }
}
