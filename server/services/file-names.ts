/** Names that people give to files, made safe to keep. */

const MAX_NAME_BYTES = 150

/**
 * A file's name as people see it: without folders, control characters and leading dots, and not too long. The end,
 * which says what it is, stays.
 */
export function shownFileName(given: string): string {
  const own = given.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  // Signs that turn the direction of writing around could make `exe.jpg` of `gpj.exe`.
  const visible = own.replace(
    /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu,
    '',
  )
  return shortened(visible.replace(/^[.\s]+|\s+$/g, '')) || 'uploaded-file'
}

/** The same name for addresses, links in Markdown and every system's disk: letters and digits of any script, `. - _`. */
export function storedFileName(given: string): string {
  const name = shownFileName(given)
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}._-]/gu, '')
    .replace(/^[.-]+|\.+$/g, '')
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
  return `${isReserved ? '_' : ''}${name}` || 'uploaded-file'
}

function shortened(name: string): string {
  const bytes = (text: string): number => Buffer.byteLength(text)
  if (bytes(name) <= MAX_NAME_BYTES) return name
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  const kept = [...name.slice(0, name.length - ending.length)]
  while (bytes(kept.join('')) + bytes(ending) > MAX_NAME_BYTES) kept.pop()
  return kept.join('') + ending
}
