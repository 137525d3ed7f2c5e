import { sql } from 'kysely'
import type { Period } from '#domain/day.ts'
import { withholdingCodes } from '#domain/withholding/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { paperForms } from '../../papers.ts'
import { namesOf, turnoverIn, withheldIn } from '../bothWays.ts'
import { payeesIn, paymentsIn } from '../payees.ts'

/** Documents and entries of turnover, or of tax that customers withheld. */
async function byDocument(
  ctx: Ctx,
  form: 'turnover' | 'withheldFromUs',
  period: Period,
): Promise<ReportRow[]> {
  const { papers } = form === 'turnover' ? await turnoverIn(ctx, period) : await withheldIn(ctx, period)
  const found = papers.filter(({ amount }) => amount !== 0)
  const names = await namesOf(
    ctx,
    found.map(({ key }) => key),
  )
  return found
    .map(({ key, amount }): ReportRow => {
      const of = names.get(key)
      return {
        form,
        day: of?.day ?? null,
        number: of?.number ?? null,
        name: of?.name ?? null,
        turnoverAgorot: form === 'turnover' ? amount : null,
        paidAgorot: null,
        withheldAgorot: form === 'turnover' ? null : amount,
        open: of?.isDocument === false ? `/invoice/entries/${key}` : `/invoice/preview/${key}`,
      }
    })
    .toSorted((a, b) => String(a.day).localeCompare(String(b.day)))
}

async function byPayment(
  ctx: Ctx,
  { from, to }: Period,
  supplier: string | undefined,
  kind: string | undefined,
): Promise<ReportRow[]> {
  const payees = new Map(
    (await payeesIn(ctx, from, to))
      .filter((payee) => (!supplier || payee.supplierId === supplier) && (!kind || payee.code === kind))
      .map((payee) => [payee.supplierId, payee.name]),
  )
  return (await paymentsIn(ctx, from, to))
    .filter(({ supplierId }) => payees.has(supplierId))
    .map(({ supplierId, day, number, gross, withheld, open }) => ({
      form: 'paid',
      day,
      number,
      name: payees.get(supplierId)!,
      turnoverAgorot: null,
      paidAgorot: gross,
      withheldAgorot: withheld,
      open,
    }))
}

/**
 * The documents that advances, short statements and withholding returns are made of. Totals of one form over the days of
 * a return are its figures.
 */
export const filingPapers = defineReport({
  name: 'filingPapers',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/reportfilingpapers',
  allow: 'filings.see',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    form: choice(paperForms),
    supplier: ref('suppliers'),
    kind: choice(withholdingCodes, { words: 'filings.codes' }),
  },
  columns: {
    form: choice(paperForms),
    day: day(),
    number: text(),
    name: text(),
    turnoverAgorot: { ...money(), whenFilled: true },
    paidAgorot: { ...money(), whenFilled: true },
    withheldAgorot: money({ main: true } as object),
  },
  groupBy: 'form',
  totals: ['turnoverAgorot', 'paidAgorot', 'withheldAgorot'],
  rows: async (ctx, { from, to, form, supplier, kind }) => {
    const isPaid = supplier !== undefined || kind !== undefined
    const asks = (one: (typeof paperForms)[number]) => (form ?? (isPaid ? 'paid' : one)) === one
    const stands = supplier
      ? (
          await sql<{ id: string }>`select coalesce(merged_into, id) as id from parties
            where company_id = ${ctx.companyId} and id = ${supplier}`.execute(ctx.tx)
        ).rows[0]?.id
      : undefined
    return [
      ...(asks('turnover') ? await byDocument(ctx, 'turnover', { from, to }) : []),
      ...(asks('withheldFromUs') ? await byDocument(ctx, 'withheldFromUs', { from, to }) : []),
      ...(asks('paid') ? await byPayment(ctx, { from, to }, stands ?? supplier, kind) : []),
    ]
  },
})
