export type RoutePlace = { method: string; path: string; file: string; line: number }

/** The route declarations in a source text: `method: 'POST'` and `path: '/messages'` in one object. */
export function findRoutes(source: string, file: string): RoutePlace[] {
  // Between the two stand only a few other short fields, in whichever order.
  const pair =
    /\bmethod:\s*'(?<method>[A-Z]+)'[^{}]{0,120}?\bpath:\s*'(?<path>[^']+)'|\bpath:\s*'(?<path2>[^']+)'[^{}]{0,120}?\bmethod:\s*'(?<method2>[A-Z]+)'/g
  return [...source.matchAll(pair)].map((match) => ({
    method: match.groups?.method ?? match.groups?.method2 ?? '',
    path: match.groups?.path ?? match.groups?.path2 ?? '',
    file,
    line: source.slice(0, match.index).split('\n').length,
  }))
}
