import type { Migration } from '../migrate.ts'
import { foundation } from './0001-foundation.ts'
import { specification } from './0002-specification.ts'

/** Every migration there has ever been, in order. A released one is never edited: a change is a new one. */
export const migrations: readonly Migration[] = [foundation, specification]

/** The newest schema that people may have. A later one may still change, and gets its fixture when it is released. */
export const releasedSchema = 2
