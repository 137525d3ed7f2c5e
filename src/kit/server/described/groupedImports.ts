import type { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '../context.ts'
import type { ServedResource } from './resources.ts'

/** A row of a file, as its fields were understood. */
export type GivenValues = Record<string, unknown>

/**
 * What comes from a file several rows to one record, and is made by a command of its own instead of being
 * written into a table: a bill with its lines. The resource describes a row; what serves lists under the same
 * name is another thing.
 */
export interface GroupedImport extends Pick<ServedResource, 'resource'> {
  /** Rows that answer the same are one record; undefined while what it is made of is missing. */
  keyOf: (given: GivenValues) => string | undefined
  /**
   * Makes the record of some rows, by the rights of the person who asks. Refuses with `Refused` where the fault is a
   * row's, else like the command.
   */
  make: (ctx: Ctx, rows: readonly GivenValues[]) => Promise<{ id: string }>
  /** The record a refusal names as the one that is there already. */
  twinOf: (failure: Failure) => string | undefined
  /** To which row and field the path of a refusal leads. */
  placeOf: (path: string) => { row: number; field: string | null }
  /** Takes a record back; answers 'archived' or why it stays ('used', 'gone', 'forbidden'). */
  takeBack: (ctx: Ctx, id: string) => Promise<'archived' | 'used' | 'gone' | 'forbidden'>
}

const known = new Map<string, GroupedImport>()

export const registerGroupedImport = (one: GroupedImport): void => void known.set(one.resource.name, one)
export const groupedImportNamed = (name: string): GroupedImport | undefined => known.get(name)
export const allGroupedImports = (): readonly GroupedImport[] => [...known.values()]
