import { z } from 'zod'
import { text } from '../../http/params.ts'

/** What a linkifier is given as. */
export const linkifierParams = {
  pattern: text(z.string().min(1).max(500), { description: 'A regular expression of the RE2 kind.' }),
  url_template: text(z.string().min(1).max(1000), {
    description: "An RFC 6570 template whose variables are the pattern's named groups.",
  }),
}
