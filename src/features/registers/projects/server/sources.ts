import { sql, type RawBuilder } from 'kysely'

/**
 * Where a project's income or expense comes from: a sum in agorot before VAT, as SQL over `t`, a row of
 * projects; never null.
 */
export interface ProjectSource {
  side: 'income' | 'expense'
  sum: RawBuilder<number>
}

const sources = new Map<string, ProjectSource>()

/** Lets a feature's papers count for projects; told once, when the server's parts are read. */
export const registerProjectSource = (name: string, source: ProjectSource): void =>
  void sources.set(name, source)

/** All sources of a side together. */
export function sumOf(side: ProjectSource['side']): RawBuilder<number> {
  const parts = [...sources.values()].filter((source) => source.side === side).map(({ sum }) => sum)
  return parts.length ? sql<number>`(${sql.join(parts, sql` + `)})::bigint` : sql<number>`0::bigint`
}
