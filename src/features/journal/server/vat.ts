import { sql } from 'kysely'
import type { Day } from '../../../domain/day.ts'
import type { returnLines } from '../../../domain/ledger/codes.ts'
import type { Ctx } from '../../../kit/server/context.ts'

export interface JournalVat {
  lineId: string
  entryId: string
  day: Day
  reference: string
  details: string
  returnLine: (typeof returnLines)[number]
  /** Without VAT; a reversal is negative. */
  netAgorot: number
  /** What is owed, or what may be deducted. */
  vatAgorot: number
}

/**
 * What posted journal lines with a VAT code bring into the periodic return, line by line. An entry that was undone counts with the opposite sign on
 * the day of its reversal.
 */
export async function journalVat(ctx: Ctx, from: Day, to: Day): Promise<JournalVat[]> {
  const { rows } = await sql<JournalVat>`
    select l.id as "lineId", e.id as "entryId", e.day, l.reference, l.details, c.return_line as "returnLine",
      (case when e.id = l.entry_id then 1 else -1 end * (l.amount_agorot - l.posted_vat_agorot))::bigint as "netAgorot",
      (case when e.id = l.entry_id then 1 else -1 end * l.posted_recognised_agorot)::bigint as "vatAgorot"
    from entries e join journal_lines l on l.company_id = e.company_id and l.entry_id in (e.id, e.reverses_id)
      join vat_codes c on c.company_id = l.company_id and c.id = l.vat_code_id
    where e.company_id = ${ctx.companyId} and e.day between ${from} and ${to} and e.kind in ('manual', 'reversal') and c.return_line <> 'none'
    order by e.day, e.id, l.position`.execute(ctx.tx)
  return rows
}
