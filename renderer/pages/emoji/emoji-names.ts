// Names of emoji: what a file's name suggests, and what cannot be one. The server has the last word.

const MAX_LENGTH = 100

/** `Party Parrot (2).gif` suggests `party_parrot_2`. */
export function nameFromFile(file: string): string {
  return file
    .replace(/\.[^.]+$/, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{M}\p{N}_-]+/gu, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, MAX_LENGTH)
}

/** A name as the server keeps it. */
export const keptName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, '_')

/** Why a name cannot be used, in words for people; null when it can. */
export function nameProblem(given: string): string | null {
  const name = keptName(given)
  if (name === '') return 'Enter a name.'
  if (name.length > MAX_LENGTH) return `At most ${MAX_LENGTH} characters.`
  if (!/^[\p{Ll}\p{Lo}\p{M}\p{N}_-]+$/u.test(name)) return 'Only letters, digits, dashes and underscores.'
  return /[\p{L}\p{N}]$/u.test(name) ? null : 'The last character must be a letter or a digit.'
}

/**
 * For each name, in order, why it cannot be used: by itself, because it is taken, or because one before wants it too.
 * @param taken names of emoji that are there
 */
export function nameProblems(names: readonly string[], taken: ReadonlySet<string>): (string | null)[] {
  const kept = names.map(keptName)
  return names.map((name, index) => {
    const problem = nameProblem(name)
    if (problem) return problem
    if (taken.has(kept[index] ?? '')) return 'An emoji has this name already.'
    return kept.indexOf(kept[index] ?? '') < index ? 'Another picture here has this name.' : null
  })
}
