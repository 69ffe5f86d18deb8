import type { RequestContext } from '../context.ts'
import type { Me } from '../features/users/access.ts'
import type { FileReply } from './send-file.ts'

/** What a page answers with: a file, or a picture or page that the server makes. */
export type PageReply = FileReply | { svg: string } | HtmlReply

export interface HtmlReply {
  html: string
  status: number
  /** Its content security policy. */
  policy: string
}

/** An address of a realm beside its API: pictures and files, fetched by anybody's browser. */
export interface Page {
  /** Of the address below the realm's; `run` is handed its groups, decoded. */
  path: RegExp
  /** Which group is the id of the realm, where the page does not belong to the one that the address names. */
  realmIdAt?: number
  run: (ctx: RequestContext, me: Me | null, parts: readonly string[]) => PageReply | Promise<PageReply>
  /** Takes a form that was filled in on the page, by anybody. */
  submit?: (
    ctx: RequestContext,
    parts: readonly string[],
    sent: ReadonlyMap<string, string>,
  ) => Promise<PageReply>
}
