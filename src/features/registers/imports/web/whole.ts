import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { getImport } from '../endpoints.ts'

/** An import with its columns and what became of its rows. */
export type Whole = OutputOf<typeof getImport>
