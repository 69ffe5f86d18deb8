// The token link: `/admin/#token=XYZ` signs its opener in.

/** The token in a location hash, or null. Tokens may stand among other hash parameters. */
export function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#\/?/, '')).get('token') || null
}

/** The address without the token, so that it stays neither in the address bar nor in the history. */
export function withoutToken(location: { pathname: string; search: string }): string {
  return `${location.pathname}${location.search}`
}

/** Takes the token out of the address bar at once; called before anything else runs. */
export function takeToken(): string | null {
  const token = tokenIn(window.location.hash)
  if (token !== null) window.history.replaceState(null, '', withoutToken(window.location))
  return token
}
