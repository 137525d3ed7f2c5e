import { sql } from 'kysely'
import { isLayoutKnown } from '#domain/filings/form856/form856.ts'
import { dueOfYear } from '#domain/law/dues.ts'
import { sum } from '#domain/money.ts'
import { fail } from '#kit/describe/errors.ts'
import { flag, money, number, percent, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import { type ExportColumn } from '#kit/server/described/exports/table.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { differencesOfPaidIn, refuseDifferences } from './bothWays.ts'
import { otherWithheld, payeesIn } from './payees.ts'
import { refuseFigures, refusePartSight } from './sight.ts'

export const daysOf = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })

export async function form856Of(ctx: Ctx, { year }: { year: number }) {
  refusePartSight(ctx)
  const { from, to } = daysOf(year)
  const payees = await payeesIn(ctx, from, to)
  const { rows: given } = await sql<{
    supplierId: string
    gross: number
    withheld: number
    at: string
  }>`select distinct on (1) coalesce(m.merged_into, g.supplier_id) as "supplierId",
    g.gross_agorot as gross, g.withheld_agorot as withheld, g.created_at as at from given_certificates g
    join parties m on m.company_id = g.company_id and m.id = g.supplier_id
    where g.company_id = ${ctx.companyId} and g.year = ${year}
    order by 1, g.created_at desc`.execute(ctx.tx)
  const givenTo = new Map(given.map((one) => [one.supplierId, one]))
  const { withholdingFile } = await companyOf(ctx)
  const total = (of: (row: (typeof payees)[number]) => number) => sum(payees.map(of))
  return {
    year,
    dueDay: dueOfYear('form856', year).day,
    withholdingFile: withholdingFile || null,
    layoutKnown: isLayoutKnown,
    rows: payees.map(({ language: _, ...row }) => {
      const known = givenTo.get(row.supplierId)
      return {
        ...row,
        givenAt: known?.at ?? null,
        changedSince:
          known !== undefined && (known.gross !== row.grossAgorot || known.withheld !== row.withheldAgorot),
        missing: [...(row.taxId ? [] : ['taxId' as const]), ...(row.address ? [] : ['address' as const])],
      }
    }),
    totals: {
      grossAgorot: total((row) => row.grossAgorot),
      withheldAgorot: total((row) => row.withheldAgorot),
      booksGrossAgorot: total((row) => row.booksGrossAgorot),
      booksWithheldAgorot: total((row) => row.booksWithheldAgorot),
    },
    others: await otherWithheld(ctx, from, to),
    differences: (await differencesOfPaidIn(ctx, from, to)).slice(0, 200),
  }
}

const columns: ExportColumn[] = (
  [
    ['name', text()],
    ['taxId', text()],
    ['incomeTaxFile', text()],
    ['address', text()],
    ['occupation', text()],
    ['assessingOffice', text()],
    ['isPaResident', flag()],
    ['kind856', text()],
    ['payments', number()],
    ['grossAgorot', money()],
    ['rateBp', percent()],
    ['withheldAgorot', money()],
    ['balanceAgorot', money()],
  ] as const
).map(([name, field]) => ({
  name,
  field,
  title: `filings.form856.columns.${name}`,
  words: `filings.form856.${name}`,
}))

export async function export856Of(
  ctx: Ctx,
  { year, format }: { year: number; format: 'csv' | 'xlsx' | 'file' },
): Promise<FileAnswer> {
  refuseFigures(ctx)
  if (format === 'file') throw fail('filings.layoutUnknown')
  const { rows, totals, differences } = await form856Of(ctx, { year })
  refuseDifferences(differences)
  return exportTable({
    format,
    language: ctx.caller.language,
    name: `form856-${year}`,
    title: 'screens.report856',
    columns,
    rows: rows.map((row) => ({
      ...row,
      rateBp: row.grossAgorot ? Math.round((row.withheldAgorot * 10_000) / row.grossAgorot) : null,
    })),
    totals: { grossAgorot: totals.grossAgorot, withheldAgorot: totals.withheldAgorot },
  })
}
