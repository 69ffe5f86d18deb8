/** Services on which people have accounts, so that a profile field for them need not be described. */

export interface ExternalAccount {
  /** Of the service. */
  text: string
  /** Of a field for accounts there. */
  name: string
  hint: string
  /** Address of an account, where `%(username)s` stands for its name. */
  url_pattern: string
}

const account = (text: string, url_pattern: string, hint = ''): ExternalAccount => ({
  text,
  name: `${text} username`,
  hint,
  url_pattern,
})

/** By the `subtype` of a field. Nothing is ever fetched from there: they are links for people to follow. */
export const externalAccounts: Readonly<Record<string, ExternalAccount>> = {
  twitter: account('Twitter', 'https://twitter.com/%(username)s'),
  github: account('GitHub', 'https://github.com/%(username)s'),
  gitlab: account('GitLab', 'https://gitlab.com/%(username)s'),
  codeberg: account('Codeberg', 'https://codeberg.org/%(username)s'),
  mastodon: account('Mastodon', 'https://mastodon.social/@%(username)s', 'As in name@server.example'),
  linkedin: account('LinkedIn', 'https://www.linkedin.com/in/%(username)s'),
}

/** The service that a field's data names, if it is one of these. */
export function accountIn(fieldData: object | undefined): ExternalAccount | undefined {
  const subtype: unknown = fieldData && 'subtype' in fieldData ? fieldData.subtype : undefined
  return typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
    ? externalAccounts[subtype]
    : undefined
}
