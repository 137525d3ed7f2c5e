import { sql } from 'kysely'
import type { Period } from '#domain/day.ts'
import { documentCodes } from '#domain/filings/uniform/layout.ts'
import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { day, money, number, text } from '#kit/fields/field.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { isBill } from '../bills.ts'

/** Bills of suppliers and their credits: expenses here. */
const billCodes: readonly number[] = [700, 710]

/** Where the documents of a kind are listed. */
const opensDocuments = (code: number, { from, to }: Period): string => {
  const days = `day.gte=${from}&day.lte=${to}`
  if (billCodes.includes(code)) return `/invoice/Expenses?state.in=approved,cancelled&${days}`
  const types = documentTypeNames.filter((name) => documentTypes[name].uniformCode === code)
  return `/invoice/documents?type.in=${types.map((name) => documentTypes[name].id).join(',')}&${days}`
}

/**
 * By kind of document of appendix 1: how many and their money (Instructions 1.31, 2.6); zero where the
 * program has none of the kind.
 */
export const uniformDocuments = defineReport({
  name: 'uniformDocuments',
  feature: 'uniform',
  group: 'tax',
  path: '/invoice/reportuniformdocuments',
  allow: 'uniform.export',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: { code: text(), kind: text(), count: number(), totalAgorot: money() },
  totals: ['count'],
  rows: async (ctx, { from, to }) => {
    const codes = documentTypeNames.flatMap((name) => {
      const { id, uniformCode } = documentTypes[name]
      return uniformCode === undefined ? [] : [{ id, code: uniformCode }]
    })
    // Of a receipt the money that was received: what the customer withheld is separate.
    const { rows } = await sql<{ code: number; count: number; total: number }>`
      select code, count(*)::int as count, sum(total)::bigint as total from (
        select coalesce(u.code, k.code) as code,
          coalesce(u.total_agorot, d.ils_total_agorot - case when k.code in (400, 405) then
          (select coalesce(sum(y.ils_agorot), 0)::bigint
          from document_payments y where y.company_id = d.company_id and y.document_id = d.id and y.means = 7)
            else 0 end) as total
        from documents d join jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as k (id int, code int)
          on k.id = d.type
          left join uniform_papers u on u.company_id = d.company_id and u.document_id = d.id
        where d.company_id = ${ctx.companyId} and ${isIssued('d')} and d.day between ${from} and ${to}
          and d.series not like '%#opening'
        union all
        select case when x.ils_total_agorot < 0 then 710 else 700 end, abs(x.ils_total_agorot) from expenses x
          where x.company_id = ${ctx.companyId} and x.day between ${from} and ${to} and ${isBill}
        union all
        select code, total_agorot from uniform_papers where company_id = ${ctx.companyId}
          and document_id is null and day between ${from} and ${to}) x
      group by code`.execute(ctx.tx)
    const found = new Map(rows.map((row) => [row.code, row]))
    return documentCodes.map((code) => ({
      code: String(code),
      kind: say(ctx.caller.language, `uniform.codes.${code}`),
      count: found.get(code)?.count ?? 0,
      totalAgorot: found.get(code)?.total ?? 0,
      open: found.has(code) ? opensDocuments(code, { from, to }) : null,
    }))
  },
})
