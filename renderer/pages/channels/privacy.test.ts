import { expect, test } from 'vitest'
import { flagsOf, privacies, privacyKindOf } from './privacy.ts'

test('each kind of channel is told by its flags', () => {
  for (const kind of privacies) expect(privacyKindOf(flagsOf(kind))).toBe(kind)
})
