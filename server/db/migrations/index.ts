import type { Migration } from '../migrate.ts'
import { foundation } from './0001-foundation.ts'

/** Every migration there has ever been, in order. A released one is never edited: a change is a new one. */
export const migrations: readonly Migration[] = [foundation]
