/** HTML that is written by hand. */

class Html {
  constructor(readonly text: string) {}
}
export type { Html }

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

/** A template whose values are text, unless they were made by it; what is false is left out. */
export function html(parts: TemplateStringsArray, ...values: (Html | string | false)[]): Html {
  const text = parts.map((part, i) => {
    const value = values[i] ?? ''
    return part + (value === false ? '' : typeof value === 'string' ? escaped(value) : value.text)
  })
  return new Html(text.join(''))
}
