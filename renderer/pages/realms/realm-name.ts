// The rule for a realm's name, which becomes part of its addresses.

export const MAX_REALM_NAME = 40

export function realmNameProblem(name: string): string | null {
  if (!name) return 'Enter a name for the address.'
  if (name.length > MAX_REALM_NAME) return `At most ${MAX_REALM_NAME} characters.`
  if (!/^[a-z0-9-]+$/.test(name)) return 'Only lower-case letters, digits and hyphens.'
  if (name.startsWith('-') || name.endsWith('-')) return 'A hyphen can stand only between other characters.'
  return null
}

/** A name for the address, made from what people call the realm: "Müller & Söhne" → "muller-sohne". */
export function suggestRealmName(displayName: string): string {
  return displayName
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_REALM_NAME)
    .replace(/^-+|-+$/g, '')
}
