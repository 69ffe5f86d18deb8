/** Introductions that clients show a user once. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'

export const stepNames = [
  'first_stream_created_banner',
  'interleaved_view_messages_fading',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'intro_resolve_topic',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'visibility_policy_banner',
] as const

export const OnboardingStep = z.strictObject({ type: z.string(), name: z.string() })

/** The steps that a user has yet to see. */
export function openSteps(db: Reader, userId: number): z.output<typeof OnboardingStep>[] {
  const seen = db.all(db.q.selectFrom('onboarding_steps').select('name').where('user_id', '=', userId))
  const names = new Set(seen.map(({ name }) => name))
  return stepNames.filter((name) => !names.has(name)).map((name) => ({ type: 'one_time_notice', name }))
}
