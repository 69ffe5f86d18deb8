/**
 * Domains that hand out mailboxes for minutes. No list of them is ever complete, and this one asks nobody: whoever
 * needs to know the people for certain restricts the organization to its own domains.
 */
const domains: ReadonlySet<string> = new Set([
  '10minutemail.com',
  '33mail.com',
  'discard.email',
  'dispostable.com',
  'emailondeck.com',
  'fakeinbox.com',
  'getnada.com',
  'guerrillamail.com',
  'guerrillamail.net',
  'guerrillamail.org',
  'incognitomail.org',
  'mail-temp.com',
  'mailcatch.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'mohmal.com',
  'mytemp.email',
  'sharklasers.com',
  'spamgourmet.com',
  'temp-mail.org',
  'tempail.com',
  'tempmail.com',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
])

/** Whether a domain, or one above it, is known to be such. */
export function isDisposable(domain: string): boolean {
  const labels = domain.split('.')
  return labels.some((_, i) => domains.has(labels.slice(i).join('.')))
}
