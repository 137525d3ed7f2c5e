import { sql } from 'kysely'
import { vatDifference } from '#domain/vat/bills.ts'
import { lastVatDay } from '#domain/law/terms.ts'
import { papers } from '#domain/vat/shares.ts'
import { formatMoney } from '#domain/format.ts'
import { needsAllocation } from '#domain/vat/allocation.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { thresholdsFor } from '#features/registers/rates/server/index.ts'
import type { ExpenseWarning } from '../endpoints.ts'
import { deductsVat, type Prepared } from './prepare.ts'

const tellsSums: ReadonlySet<string> = new Set([
  'expenses.duplicate',
  'expenses.sameNumber',
  'expenses.vatDiffers',
  'expenses.vatAtRisk',
])

interface Twin {
  id: string
  day: string
  total: number
}

async function twinsOf(ctx: Ctx, p: Prepared, id: string | undefined): Promise<Twin[]> {
  if (!p.supplier || !p.numberKey) return []
  const { rows } =
    await sql<Twin>`select id, day, total_agorot as total from expenses where company_id = ${ctx.companyId}
        and supplier_id in ${groupOf(ctx, p.supplier.id)}
    and number_key = ${p.numberKey} and state not in ('rejected', 'cancelled') and id is distinct
    from ${id ?? null}::uuid order by day desc limit 10`.execute(ctx.tx)
  return rows
}

/**
 * The same supplier, number and amount: the same bill, also when it is our own self-billed invoice entered again.
 * The answer names the other one.
 */
export async function refuseTwin(ctx: Ctx, p: Prepared, id: string | undefined): Promise<void> {
  const twin = (await twinsOf(ctx, p, id)).find((one) => one.total === p.worked.paper.total)
  if (twin)
    throw new Failure('expenses.duplicate', { number: p.number, day: twin.day, id: twin.id }, [
      {
        path: 'supplierNumber',
        code: 'expenses.duplicate',
        params: { number: p.number, day: twin.day, id: twin.id },
      },
    ])
}

/** What a careful person would look at again; none of it forbids anything. */
export async function warningsOf(ctx: Ctx, p: Prepared, id?: string): Promise<ExpenseWarning[]> {
  const found: ExpenseWarning[] = []
  const warn = (
    code: string,
    path: string,
    params: Record<string, string | number> = {},
    twinId: string | null = null,
  ) => void found.push({ code: `expenses.${code}`, path, params, twinId })
  const { paper: sums, recognisedVat, net } = p.worked

  for (const twin of await twinsOf(ctx, p, id))
    warn(
      twin.total === sums.total ? 'duplicate' : 'sameNumber',
      'supplierNumber',
      { number: p.number, day: twin.day, sum: formatMoney(twin.total) },
      twin.id,
    )

  if (p.paper !== 'import' && p.currency === 'ILS') {
    const rate = vatRateOn(p.day)
    const difference = vatDifference(sums.net, sums.vat, rate)
    if (difference)
      warn('vatDiffers', 'lines.0.vatAgorot', {
        rate: String(rate / 100),
        difference: formatMoney(Math.abs(difference)),
        side: difference > 0 ? 'more' : 'less',
      })
  }

  if (recognisedVat) {
    const thresholdOn = await thresholdsFor(ctx)
    const threshold = thresholdOn(p.day)
    if (
      !p.content.allocationNumber &&
      threshold !== undefined &&
      needsAllocation(
        {
          documentAllows: papers[p.paper].mayNeedAllocation,
          day: p.day,
          net,
          vat: p.worked.vat,
          customerIsDealer: true,
        },
        thresholdOn,
      )
    )
      warn('vatAtRisk', 'allocationNumber', {
        threshold: formatMoney(threshold),
        vat: formatMoney(recognisedVat),
      })
    if (ctx.today > lastVatDay(p.day) && p.vatDay <= lastVatDay(p.day))
      warn('vatOld', 'vatDate', { last: lastVatDay(p.day) })
    if (p.paper === 'taxInvoice' && !p.supplier?.taxId) warn('noTaxId', 'supplierId')
    if (p.paper === 'taxInvoice' && !p.numberKey) warn('noNumber', 'supplierNumber')
  }
  if (p.paper === 'receipt' && p.worked.vat && deductsVat(p.company)) warn('receiptVat', 'paper')
  // People who may not see amounts do not get them in words either.
  return ctx.caller.hideTotalPrices ? found.filter((one) => !tellsSums.has(one.code)) : found
}
