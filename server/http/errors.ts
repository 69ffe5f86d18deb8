/** What a client is told when a request cannot be done. Clients branch on `code`; `msg` is for people. */

export abstract class ApiError extends Error {
  abstract readonly code: string
  readonly status: number = 400
  /** Further fields of the body. */
  readonly data: Readonly<Record<string, unknown>> = {}
  readonly headers: Readonly<Record<string, string>> = {}

  body(): Record<string, unknown> {
    return { result: 'error', msg: this.message, code: this.code, ...this.data }
  }
}

export class BadRequestError extends ApiError {
  readonly code = 'BAD_REQUEST'
  constructor(
    message: string,
    override readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

/** Something of the caller's own, such as a draft, that is not there. */
export class NotThereError extends BadRequestError {
  override readonly status = 404
}

export class MissingParameterError extends ApiError {
  readonly code = 'REQUEST_VARIABLE_MISSING'
  override readonly data: { var_name: string }
  constructor(name: string) {
    super(`Missing '${name}' argument`)
    this.data = { var_name: name }
  }
}

export class UnauthorizedError extends ApiError {
  readonly code: string = 'UNAUTHORIZED'
  override readonly status = 401
  override readonly headers: { 'WWW-Authenticate': string } = { 'WWW-Authenticate': 'Basic realm="parley"' }
  constructor(message = 'Not logged in: API authentication or user session required') {
    super(message)
  }
}

export class InvalidApiKeyError extends UnauthorizedError {
  override readonly code = 'INVALID_API_KEY'
  constructor() {
    super('Invalid API key')
  }
}

export class UserDeactivatedError extends UnauthorizedError {
  override readonly code = 'USER_DEACTIVATED'
  constructor() {
    super('Account is deactivated')
  }
}

export class RealmDeactivatedError extends UnauthorizedError {
  override readonly code = 'REALM_DEACTIVATED'
  constructor() {
    super('This organization has been deactivated')
  }
}

/** The password or address of a sign-in is wrong. */
export class AuthenticationFailedError extends UnauthorizedError {
  override readonly code = 'AUTHENTICATION_FAILED'
  // The form that failed is asked again by the page, not by the browser.
  override readonly headers = { 'WWW-Authenticate': 'Password realm="parley"' }
  constructor() {
    super('Your username or password is incorrect')
  }
}

export class ForbiddenError extends ApiError {
  readonly code = 'FORBIDDEN'
  override readonly status = 403
}

export class NotFoundError extends ApiError {
  readonly code = 'NOT_FOUND'
  override readonly status = 404
}

export class MethodNotAllowedError extends ApiError {
  readonly code = 'METHOD_NOT_ALLOWED'
  override readonly status = 405
  override readonly headers: { Allow: string }
  override readonly data: { allowed_methods: string[] }
  constructor(allowed: string[]) {
    super('Method Not Allowed')
    this.headers = { Allow: allowed.join(', ') }
    this.data = { allowed_methods: allowed }
  }
}

/** None of the bytes that were asked for are there. */
export class RangeNotSatisfiableError extends ApiError {
  readonly code = 'BAD_REQUEST'
  override readonly status = 416
  override readonly headers: { 'Content-Range': string }
  /** @param range such as `bytes *\/5000` */
  constructor(range: string) {
    super('The file is shorter than that')
    this.headers = { 'Content-Range': range }
  }
}

/** The file is not the one that was asked for. */
export class PreconditionFailedError extends ApiError {
  readonly code = 'BAD_REQUEST'
  override readonly status = 412
  constructor() {
    super('The file is another one')
  }
}

export class PayloadTooLargeError extends ApiError {
  readonly code = 'REQUEST_TOO_LARGE'
  override readonly status = 413
}

export class RateLimitError extends ApiError {
  readonly code = 'RATE_LIMIT_HIT'
  override readonly status = 429
  override readonly headers: { 'Retry-After': string }
  override readonly data: { 'retry-after': number }
  /** @param seconds until the next try may succeed */
  constructor(seconds: number) {
    super('API usage exceeded rate limit')
    this.headers = { 'Retry-After': String(Math.ceil(seconds)) }
    this.data = { 'retry-after': seconds }
  }
}

/** Writes cannot be kept at the moment: the disk is full, gone or failing. Nothing was changed. */
export class StorageUnavailableApiError extends ApiError {
  readonly code = 'STORAGE_UNAVAILABLE'
  override readonly status = 503
  override readonly headers = { 'Retry-After': '5' }
}

/** A fault of ours. What happened is in the log. */
export class InternalError extends ApiError {
  readonly code = 'INTERNAL_SERVER_ERROR'
  override readonly status = 500
  constructor() {
    super('Internal server error')
  }
}
