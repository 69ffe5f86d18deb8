import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { openSteps, stepNames } from './steps.ts'

export const finishOnboardingStep = defineRoute({
  id: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Say that an introduction was seen',
  caller: 'user',
  params: { onboarding_step: text(z.enum(stepNames, 'Unknown onboarding_step')) },
  result: z.object({}),
  run: (ctx, me, { onboarding_step: name }) =>
    ctx.transact((tx) => {
      if (!openSteps(tx, me.id).some((step) => step.name === name)) return {}
      tx.insert('onboarding_steps', { user_id: me.id, name })
      tx.emit({ type: 'onboarding_steps', onboarding_steps: openSteps(tx, me.id) }, { to: [me.id] })
      return {}
    }),
})
