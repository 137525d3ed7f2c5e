import { sql } from 'kysely'
import { allAreas, areasHidden, type AreaChoice } from '#kit/describe/area.ts'
import type { Tx } from './db.ts'

/** The areas in which a business has rows. One question, which looks for one row in each table. */
async function areasInUse(tx: Tx, companyId: string): Promise<string[]> {
  const asked = allAreas().flatMap(({ name, rows = [] }) =>
    rows.map((row) => {
      const [table, also] =
        typeof row === 'string'
          ? [row, sql``]
          : [row.table, sql` and ${sql.ref(row.column)} = any(${[...row.in]}::int[])`]
      return sql`select ${name}::text as name where exists
        (select 1 from ${sql.table(table)} where company_id = ${companyId}${also})`
    }),
  )
  const { rows } = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(tx)
  return [...new Set(rows.map(({ name }) => name))]
}

/** What an accountant works with in every business. */
const ofOffices = new Set(['books', 'assets', 'withholding', 'bank'])

/** Areas that are in no menu of this person: the business neither does, uses nor turned on what they are for. */
export async function hiddenOf(
  tx: Tx,
  companyId: string,
  typeId: number,
  business: AreaChoice & { kind: string },
): Promise<string[]> {
  const hidden = areasHidden({ ...business, used: await areasInUse(tx, companyId) })
  return typeId === 5 || typeId === 6 ? hidden.filter((area) => !ofOffices.has(area)) : hidden
}
