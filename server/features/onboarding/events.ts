import { z } from 'zod'
import { OnboardingStep } from './steps.ts'

export const onboardingEvents = [
  z.strictObject({ type: z.literal('onboarding_steps'), onboarding_steps: z.array(OnboardingStep) }),
] as const
