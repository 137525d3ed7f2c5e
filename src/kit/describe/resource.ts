import type { z } from 'zod'
import type { Fields, ValueOf } from '#kit/fields/field.ts'

/** Schemas by name; the browser's build leaves them out. */
export type Extra = Readonly<Record<string, z.ZodType>>

/**
 * A thing with a list, a form and a card, described as data. Its words are `<name>.…`; its calls
 * `/api4/invoice/<name>`.
 */
export interface Resource<F extends Fields = Fields, X extends Extra = Extra> {
  /** Plural English noun, also the path of its calls. */
  name: string
  table: string
  /** Where its calls live; '/api4/invoice' when absent. */
  prefix?: string
  /** Columns with a fixed value that tell this resource's rows from others in the same table. */
  where?: Record<string, string>
  fields: F
  /**
   * What an answer holds for a record besides its fields: no list shows, filters or exports it. The server
   * supplies SQL for exactly these names (`extra` in kit/server/data/lists.ts).
   */
  extra?: X
  /** The field that names a record where it is referred to. */
  title: keyof F & string
  /** A second line shown under the title in search lists. */
  hint?: keyof F & string
  list: {
    columns: (keyof F & string)[]
    filters: (keyof F & string)[]
    sort: [keyof F & string, 'asc' | 'desc']
    totals?: (keyof F & string)[]
    /**
     * Totals of records that may not all be added up: `of` names them, `by` the field of the kind, and `adds` a value of
     * `extra` that says of each record 'always', with others of its kind ('kind') or 'never'.
     */
    sums?: { of: (keyof F & string)[]; by: keyof F & string; adds: string }
  }
  form: { section: string; fields: (keyof F & string)[] }[]
  /** The form opens with its first section and what must be given; the rest opens on demand. */
  isBrief?: boolean
  /** Comes from files although it has no described form: a command makes it. */
  fromFiles?: boolean
  allow: { see: string; change: string }
  /**
   * SQL function (query text) -> ids, security definer: under row-level security a trigram index is used no
   * other way.
   */
  search?: string
  /** The fields the search reads; kept folded in the column `folded`. */
  searchIn?: (keyof F & string)[]
  /** Fields that no two living records of a business may share. */
  unique?: (keyof F & string)[]
  /** Paths of its screens. */
  screens: { list: string; form: string; card?: string }
}

export const defineResource = <const F extends Fields, const X extends Extra = Record<never, never>>(
  resource: Resource<F, X>,
): Resource<F, X> => resource

/** Query of a list: paging, order, search and filters as `field=value` or `field.operator=value`. */
export const filterOperators = ['eq', 'ne', 'gte', 'lte', 'contains', 'in', 'empty'] as const
export type FilterOperator = (typeof filterOperators)[number]

export const pageSizes = [10, 20, 50, 100, 200] as const
export const defaultPageSize = 50

export interface ListAnswer<T> {
  rows: T[]
  nextCursor: string | null
  /** Where to begin next time, to be told of everything that changes from now on; with `updatedSince`. */
  nextSince?: string
  /** Given only when it was asked for by `page`: exact counts are not free. */
  total?: number
  pages?: number
  /**
   * The present page, from 1, and how many rows a full one has: a page beyond the last is answered with the first.
   */
  page?: number
  size?: number
}

export type Row<R> =
  R extends Resource<infer F, infer X>
    ? { id: string; archivedAt: string | null; createdAt: string; updatedAt: string } & {
        [K in keyof F]: F[K] extends { need?: true } ? ValueOf<F[K]> : ValueOf<F[K]> | null
      } & { [K in keyof X]: z.output<X[K]> }
    : never
