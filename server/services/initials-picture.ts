/** A picture for who has none, as SVG: initials on a colour of their own. */
export function initialsPicture(name: string, seed: number): string {
  const words = name.trim().split(/\s+/)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  )
  const text = initials.join('').toUpperCase().replace(/[<>&]/g, '')
  const hue = (seed * 137) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 45% 42%)"/><text x="50" y="50" dy=".36em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="42" fill="#fff">${text}</text></svg>`
}
