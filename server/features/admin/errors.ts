import { ApiError } from '../../http/errors.ts'

/** Unlike the API's, this challenge does not make a browser ask for a password in a window of its own. */
export class SignInRequiredError extends ApiError {
  readonly code = 'UNAUTHORIZED'
  override readonly status = 401
  override readonly headers = { 'WWW-Authenticate': 'Bearer realm="parley admin"' }
  constructor(message = 'Sign in first.') {
    super(message)
  }
}
