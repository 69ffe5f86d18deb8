/** Where an invitation leads: a page on which somebody makes their account. It needs no script. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Page, PageReply } from '../../http/define-page.ts'
import { ApiError } from '../../http/errors.ts'
import { type Html, html } from '../../services/html.ts'
import { hashPassword } from '../../services/passwords.ts'
import { MAX_FULL_NAME_LENGTH, MIN_PASSWORD_LENGTH } from '../realms/settings.ts'
import { Email, FullName, Password } from '../users/fields.ts'
import { acceptInvitation, assertMayBecome, openInvitation } from './actions.ts'
import type { Invitation } from './store.ts'

export const joinPage: Page = {
  path: /^\/join\/([A-Za-z0-9]+)$/,
  run: (ctx, _me, [key = '']) => {
    const invitation = openInvitation(ctx, key)
    return invitation ? formPage(ctx, invitation, {}, {}) : endedPage(ctx)
  },
  submit: async (ctx, [key = ''], sent) => {
    const invitation = openInvitation(ctx, key)
    if (!invitation) return endedPage(ctx)
    const given = {
      full_name: sent.get('full_name') ?? '',
      email: invitation.email ?? sent.get('email') ?? '',
      password: sent.get('password') ?? '',
    }
    const parsed = Form.safeParse(given)
    if (!parsed.success) return formPage(ctx, invitation, given, problemsOf(parsed.error))
    try {
      const { server, request, realm } = ctx
      if (!server.config.dev) await server.joinThrottle.take(`${realm.id} ${request.address}`)
      const { full_name, email, password } = parsed.data
      assertMayBecome(ctx, ctx.db, full_name, email)
      const password_hash = await hashPassword(password)
      const user = ctx.transact((tx) => acceptInvitation(ctx, tx, key, { full_name, email, password_hash }))
      return donePage(ctx, user.delivery_email)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return formPage(ctx, invitation, given, { form: error.message }, error.status)
    }
  },
}

const Form = z.object({ full_name: FullName, email: Email, password: Password })
type Field = keyof z.output<typeof Form>
type Problems = Partial<Record<Field | 'form', string>>

const problemsOf = (error: z.ZodError): Problems =>
  Object.fromEntries(error.issues.toReversed().map(({ path, message }) => [path[0], message]))

function formPage(
  ctx: RequestContext,
  invitation: Invitation,
  given: Partial<Record<Field, string>>,
  problems: Problems,
  status = Object.keys(problems).length > 0 ? 400 : 200,
): PageReply {
  const { full_name = '', email = invitation.email ?? '' } = given
  const first = (['full_name', 'email', 'password'] as const).find((name) => problems[name]) ?? 'full_name'
  const field = (name: Field, label: string, attributes: Html, hint = ''): Html => {
    const problem = problems[name]
    const says = problem ?? hint
    return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes}${first === name && html` autofocus`}${problem !== undefined && html` aria-invalid="true"`}${says !== '' && html` aria-describedby="${name}-says"`}>
${says !== '' && html`<p id="${name}-says" class="${problem === undefined ? 'hint' : 'problem'}">${says}</p>`}
</div>`
  }
  const own = invitation.email === null ? html`` : html` readonly`
  return page(
    status,
    `Join ${ctx.realm.name}`,
    html`<h1>Join ${ctx.realm.name}</h1>
<p>Make your account, and you are in.</p>
${problems.form !== undefined && html`<p class="problem" role="alert">${problems.form}</p>`}
<form method="post">
${field('full_name', 'Your name', html`autocomplete="name" maxlength="${String(MAX_FULL_NAME_LENGTH)}" value="${full_name}"`)}
${field('email', 'E-mail address', html`type="email" autocomplete="username" value="${email}"${own}`, 'You sign in with it. No mail is sent.')}
${field('password', 'Password', html`type="password" autocomplete="new-password" minlength="${String(MIN_PASSWORD_LENGTH)}"`, `At least ${MIN_PASSWORD_LENGTH} characters.`)}
<button>Make my account</button>
</form>`,
  )
}

const donePage = (ctx: RequestContext, email: string): PageReply =>
  page(
    200,
    `Welcome to ${ctx.realm.name}`,
    html`<h1>Welcome to ${ctx.realm.name}</h1>
<p role="status">Your account is ready.</p>
<p>Sign in from your chat app with this address, and with the password that you have just chosen:</p>
<dl>
<dt>Server</dt><dd><code>${ctx.realmUrl}</code></dd>
<dt>E-mail address</dt><dd><code>${email}</code></dd>
</dl>`,
  )

const endedPage = (ctx: RequestContext): PageReply =>
  page(
    404,
    'Invitation not found',
    html`<h1>This invitation cannot be used</h1>
<p>It has ended, was taken back, or was used already. Ask somebody at ${ctx.realm.name} for a new one.</p>`,
  )

// The colours and shapes of the admin page: one product.
const style = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#d5d7de;--edge:#e4e5ea;--paper:#fff;--ground:#f7f7f9;--act:#3e63dd;--over:#3358d4;--focus:#3e63dd;--bad:#c62a2f}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#a7abb3;--line:#4a4e57;--edge:#2a2c30;--paper:#18191c;--ground:#111214;--over:#4c70e6;--focus:#9eb1ff;--bad:#ff8589}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);font:.9375rem/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI Variable Text','Segoe UI',Inter,Roboto,Cantarell,'Noto Sans','Liberation Sans',Arial,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--paper);border:1px solid var(--edge);border-radius:1rem;box-shadow:0 1px 2px rgb(20 22 40/5%),0 12px 32px rgb(20 22 40/6%);overflow-wrap:anywhere}
h1{margin:0 0 .375rem;font-size:1.5rem;font-weight:600;line-height:1.25;letter-spacing:-.012em;text-wrap:balance}
p{margin:0 0 1.25rem;color:var(--soft)}
.field{margin-bottom:1.125rem}
label{display:block;margin-bottom:.25rem;font-size:.875rem;font-weight:600}
input{width:100%;height:2.5rem;padding:0 .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.5rem}
input[readonly]{background:var(--ground);color:var(--soft)}
input[aria-invalid]{border-color:var(--bad)}
.hint{margin:.25rem 0 0;font-size:.8125rem}
.problem{margin:.25rem 0 0;font-size:.8125rem;color:var(--bad)}
.problem[role=alert]{margin:0 0 1rem;font-size:inherit}
button{width:100%;height:2.625rem;margin-top:.25rem;font:inherit;font-weight:600;color:#fff;background:var(--act);border:0;border-radius:.5rem;cursor:pointer}
button:hover{background:var(--over)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
dl{margin:0}
dt{font-size:.8125rem;font-weight:600}
dd{margin:.25rem 0 .875rem;padding:.5rem .75rem;background:var(--ground);border:1px solid var(--edge);border-radius:.5rem}
dd:last-child{margin-bottom:0}
code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;user-select:all}
@media (max-width:30em){main{padding:1.5rem 1.25rem}}
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function page(status: number, title: string, body: Html): PageReply {
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>`.text
  const rest = html`</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text
  return { html: text + style + rest, status, policy }
}
