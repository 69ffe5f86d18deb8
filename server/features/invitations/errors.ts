import { ApiError } from '../../http/errors.ts'

/** An address that was not invited: why, and whether its account is there but deactivated. */
export type Refused = [email: string, reason: string, isDeactivated: boolean]

export class InvitationFailedError extends ApiError {
  readonly code = 'INVITATION_FAILED'
  override readonly data: Record<string, unknown>
  /** @param someInvited whether the other addresses were invited all the same */
  constructor(message: string, errors: Refused[], someInvited: boolean) {
    super(message)
    this.data = {
      errors,
      sent_invitations: someInvited,
      daily_limit_reached: false,
      license_limit_reached: false,
    }
  }
}
