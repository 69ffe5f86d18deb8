import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { assertMayInvite } from './access.ts'
import { addressProblem, inviteAddresses } from './actions.ts'
import { InvitationFailedError, type Refused } from './errors.ts'
import { invitationParams } from './fields.ts'

const MAX_AT_ONCE = 500

export const sendInvites = defineRoute({
  id: 'send-invites',
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by address. No mail is sent: the links are in `GET /invites`',
  caller: 'user',
  params: {
    invitee_emails: text(z.string(), { description: 'With commas or line breaks between.' }),
    stream_ids: json(z.array(z.int())),
    notify_referrer_on_join: text(z.boolean().default(true)),
    ...invitationParams,
  },
  result: z.object({}),
  run: (ctx, me, params) => {
    const emails = [...new Set(params.invitee_emails.split(/[,\n]/).map((email) => email.trim()))].filter(
      Boolean,
    )
    if (emails.length === 0) throw new BadRequestError('You must specify at least one email address.')
    if (emails.length > MAX_AT_ONCE)
      throw new BadRequestError(`At most ${MAX_AT_ONCE} people can be invited at once.`)
    const offer = {
      role: params.invite_as,
      channelIds: params.stream_ids,
      groupIds: params.group_ids,
      includeDefaultChannels: params.include_realm_default_subscriptions,
      notifyReferrer: params.notify_referrer_on_join,
      minutes: params.invite_expires_in_minutes,
    }
    const refused = ctx.transact((tx) => {
      assertMayInvite(ctx, tx, me, 'can_invite_users_group', offer)
      const invalid = emails.flatMap((email): Refused[] => {
        const problem = addressProblem(ctx, tx, email)
        return problem ? [[email, problem, false]] : []
      })
      if (invalid.length > 0) {
        const text = 'Some emails did not validate, so nobody was invited.'
        throw new InvitationFailedError(text, invalid, false)
      }
      return inviteAddresses(ctx, tx, me, emails, offer)
    })
    // Those who have an account already keep nobody else from being invited.
    if (refused.length === emails.length) {
      throw new InvitationFailedError('Nobody could be invited.', refused, false)
    }
    if (refused.length > 0) {
      const text = 'Some of those addresses already have an account. Everybody else was invited.'
      throw new InvitationFailedError(text, refused, true)
    }
    return {}
  },
})
