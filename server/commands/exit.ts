/** How commands end when they do not succeed. */

/** The command was understood and refused. */
export class ExitError extends Error {
  constructor(
    readonly code: 1 | 2 | 3 | 4,
    message: string,
  ) {
    super(message)
  }
}

/** The command was not understood. */
export class UsageError extends Error {}

export const usage = `Usage:
  parley serve [--data-dir DIR] [--host ADDR] [--port N] [--dev] [--demo]
               [--queue-idle-seconds N] [--heartbeat-seconds N] [--log LEVEL]
               [--backup-daily N] [--backup-weekly N]
  parley realm create NAME --owner-email E --owner-name N [--display-name D] [--furnished]
                      [--password-stdin]
  parley realm list
  parley user create EMAIL --realm NAME --name N [--role ROLE] [--password-stdin]
  parley user list --realm NAME
  parley user api-key EMAIL --realm NAME [--reset]
  parley user grant EMAIL --realm NAME can_create_users|can_change_user_emails
  parley user revoke EMAIL --realm NAME can_create_users|can_change_user_emails
  parley backup FILE
  parley restore FILE
  parley check
  parley --version

All but serve also take --data-dir DIR and --json, and work while a server runs on that folder and while none does;
restore only while none does: a running server is restored from its admin page.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the folder is in use, 4 the folder cannot be used.
`
