import { sql } from 'kysely'
import type { Tx } from './db.ts'

let tables: readonly string[] = []

/** Every table of a business, children before parents; told by the feature that keeps the list. */
export const provideBusinessTables = (list: readonly string[]): void => void (tables = list)

/**
 * Takes everything out of a business that the database lets go, but for what is in `keep`. Only the system
 * may.
 */
export async function emptyBusiness(tx: Tx, companyId: string, keep: readonly string[] = []): Promise<void> {
  if (!tables.length) throw new Error('nobody said which tables a business has')
  for (const table of tables.filter((one) => !keep.includes(one)))
    await sql`delete from ${sql.table(table)} where company_id = ${companyId}`.execute(tx)
}
