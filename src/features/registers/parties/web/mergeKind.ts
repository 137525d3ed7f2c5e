import type { ReactNode } from 'react'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import type { AnyResource, AnyRow } from '#kit/web/screens/resources.ts'
import type { Words } from '#kit/web/words/words.tsx'

/**
 * What is chosen from one record whole, as several fields or rows of another table; its word is
 * `<resource>.merge.<name>`.
 */
export interface Whole {
  name: string
  has: (row: AnyRow) => boolean
  /** Equal when the records say the same. */
  mark: (row: AnyRow) => string
  cell: (row: AnyRow, t: Words) => ReactNode
}

/**
 * A register whose records can be merged; its words stand under `<resource>.merge` and `<resource>.doubles`.
 */
export interface MergeKind {
  resource: AnyResource
  merge: Endpoint<any, any>
  doubles: Endpoint<any, any>
  wholes?: readonly Whole[]
  /** Asks again for whatever shows these records. */
  refresh: () => Promise<unknown>
}
