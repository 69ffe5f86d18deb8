/** An organization's own patterns, such as `#1234` for its tickets. They run in linear time, whatever they are. */
import { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'

export interface LinkifierSource {
  pattern: string
  url_template: string
}

interface Linkifier {
  find: RE2JS
  groups: string[]
  expand: (values: Record<string, string>) => string
}

export type LinkifierSet = readonly Linkifier[]

/** @throws RE2JSException for a pattern that is none */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(pattern)

/** Names of the groups of a pattern. */
export const groupNames = (pattern: RE2JS): string[] => Object.keys(pattern.namedGroups())

/** Names that a URL template (RFC 6570) uses; undefined for what is no template. */
export function templateVariables(template: string): string[] | undefined {
  const expression = /\{[+#./;?&]?(\w+(?:\*|:\d{1,4})?(?:,\w+(?:\*|:\d{1,4})?)*)\}/g
  if (/[{}]/.test(template.replace(expression, ''))) return undefined
  return [...template.matchAll(expression)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/(?:\*|:\d+)$/, '')),
  )
}

export const expandTemplate = (template: string, values: Record<string, string>): string =>
  parseTemplate(template).expand(values)

/** What does not compile any more is left out. */
export function compileLinkifiers(sources: readonly LinkifierSource[]): LinkifierSet {
  return sources.flatMap(({ pattern, url_template }) => {
    try {
      // Only whole words match. The character before belongs to the match, the one after may begin the next.
      const find = compilePattern(String.raw`(?:^|[\s'"(,:<\[{])(${pattern})(?:$|[^\pL\pN_])`)
      const template = parseTemplate(url_template)
      return [{ find, groups: groupNames(find), expand: (values) => template.expand(values) }]
    } catch {
      return []
    }
  })
}

export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/**
 * What the patterns find in a text, in order. Where two overlap, the earlier pattern in the list has it.
 * @param budget characters that may still be searched, of all searches of a message together
 */
export function findLinkifiers(
  set: LinkifierSet,
  text: string,
  budget: { linkifyLeft: number },
): LinkifierMatch[] {
  const matches: LinkifierMatch[] = []
  for (const { find, groups, expand } of set) {
    const matcher = find.matcher(text)
    let from = 0
    while (from < text.length) {
      // A search may look at all the rest, even when it ends early.
      budget.linkifyLeft -= text.length - from
      if (budget.linkifyLeft < 0 || !matcher.find(from)) break
      const [start, end] = [matcher.start(1), matcher.end(1)]
      if (end > start && !matches.some((other) => start < other.end && other.start < end)) {
        const values = groups.map((name) => [name, matcher.group(name) ?? ''] as const)
        matches.push({ start, end, url: expand(Object.fromEntries(values)) })
      }
      from = Math.max(end, from + 1)
    }
  }
  return matches.sort((a, b) => a.start - b.start)
}
