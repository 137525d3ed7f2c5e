import { sql } from 'kysely'
import { chartFor, outsideTurnover } from '#domain/ledger/chart.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { newId, type Language } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { say } from '#kit/server/words.ts'

/**
 * Creates the chart of accounts of a new business, named in its language; every name can be changed. A business that
 * changes its kind gets the accounts of that kind beside the existing ones.
 */
export async function openBooks(
  tx: Tx,
  companyId: string,
  kind: BusinessKind,
  language: Language,
): Promise<void> {
  const rows = chartFor(kind).map((a) => ({
    company_id: companyId,
    id: newId(),
    number: a.number,
    key: a.key,
    name: say(language, `ledger.accounts.${a.key}`),
    kind: a.kind,
    sort_code: a.sortCode,
    code6111: a.form6111 === undefined ? '' : String(a.form6111),
    outside_turnover: outsideTurnover(a.kind, String(a.form6111 ?? '')),
  }))
  await sql`insert into accounts (company_id, id, number, key, name, kind, sort_code, code6111,
      outside_turnover)
    select company_id, id, number, key, name, kind, sort_code, code6111, outside_turnover
    from jsonb_populate_recordset(null::accounts, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`.execute(tx)
}
