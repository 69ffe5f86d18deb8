import { ApiError, UnauthorizedError } from '../../http/errors.ts'

export class CannotDeactivateLastUserError extends ApiError {
  readonly code = 'CANNOT_DEACTIVATE_LAST_USER'
  override readonly data = { is_last_owner: true, entity: 'organization owner' }
  constructor() {
    super('Cannot deactivate the only organization owner')
  }
}

/** The organization does not let people sign in with a password. */
export class PasswordAuthDisabledError extends UnauthorizedError {
  override readonly code = 'PASSWORD_AUTH_DISABLED'
  override readonly headers = { 'WWW-Authenticate': 'Password realm="parley"' }
  constructor() {
    super('Password authentication is disabled in this organization')
  }
}
