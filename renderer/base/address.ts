/** The server may have named itself by another of its names; the page may show pictures of its own only. */
export function onThisOrigin(address: string): string {
  const { pathname, search } = new URL(address, window.location.href)
  return pathname + search
}
