import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Day } from '#domain/day.ts'
import { chargesVat, documentTypes, vatKinds } from '#domain/documents/kinds.ts'
import { sum } from '#domain/money.ts'
import { invoiceDueDay } from '#domain/vat/uninvoiced.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isOpen, isType } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { linesOfAmount } from '#features/money/paymentLinks/server/index.ts'
import { paperDay } from '#features/money/standingOrders/server/index.ts'
import {
  issuePrepared,
  loadDocument,
  onlyAllowed,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import type * as calls from '../endpoints.ts'

interface Row {
  id: string
  number: number
  day: Day
  customer: string
  currency: string
  agorot: number
  ilsAgorot: number
  subject: string
}

/**
 * Receipts of online payments that no tax invoice was issued for: what is left of their money on account. A business that
 * charges VAT issues the invoice together with the receipt; before that was so, a receipt alone was issued.
 */
async function uninvoicedOf(ctx: Ctx, only?: RawBuilder<boolean>): Promise<Row[]> {
  if (!chargesVat((await companyOf(ctx)).kind)) return []
  const { rows } = await sql<Row>`select d.id, d.number, d.day, coalesce(d.customer->>'name', '') as customer,
      d.currency, -d.open_in_currency_agorot as agorot, -d.open_agorot as "ilsAgorot", d.subject
    from documents d
    where d.company_id = ${ctx.companyId} and ${isType('d', 'receipt')} and ${isOpen('d')}
      and d.open_in_currency_agorot < 0${onlyAllowed(ctx, 'd.type')}
      and exists (select 1 from charges c where c.company_id = d.company_id and c.paper_id = d.id
        and c.state = 'paid')
      ${only ? sql`and ${only}` : sql``}
    order by d.day, d.number limit 500`.execute(ctx.tx)
  return rows
}

export async function uninvoiced(ctx: Ctx): Promise<z.output<typeof calls.uninvoiced.output>> {
  const rows = await uninvoicedOf(ctx)
  const hides = ctx.caller.hideTotalPrices
  return {
    rows: rows.map(({ agorot, ilsAgorot: _, ...row }) => {
      const dueDay = invoiceDueDay(row.day)
      return { ...row, dueDay, isLate: dueDay < ctx.today, ...(hides ? {} : { amountAgorot: agorot }) }
    }),
    ...(hides ? {} : { totalAgorot: sum(rows.map((row) => row.ilsAgorot)) }),
  }
}

/** How many there are, what they come to in shekels, and by when the first is to be invoiced; null without any. */
export async function uninvoicedNotice(
  ctx: Ctx,
): Promise<{ count: number; agorot: number; dueDay: Day } | null> {
  const rows = await uninvoicedOf(ctx)
  return rows.length
    ? {
        count: rows.length,
        agorot: sum(rows.map((row) => row.ilsAgorot)),
        dueDay: invoiceDueDay(rows[0]!.day),
      }
    : null
}

/** What a receipt was for, by its VAT kinds: the request that it paid, or the lines that were bought on a payment page. */
async function soldBy(ctx: Ctx, receiptId: string): Promise<{ vatKind: 1 | 2 | 3 | 4; agorot: number }[]> {
  const { rows } = await sql<{ kind: 1 | 2 | 3 | 4; agorot: number }>`
    select l.vat_kind as kind, l.total_agorot as agorot from asked_payments a
      join document_lines l on l.company_id = a.company_id and l.document_id = a.request_id
      where a.company_id = ${ctx.companyId} and a.document_id = ${receiptId}
    union all select case i.vat_kind when 'withoutVat' then 4 when 'trustDeposit' then 3 else 2 end,
      p.quantity * p.price_agorot - p.discount_agorot
    from charges c join pay_purchase_lines p on p.company_id = c.company_id and p.purchase_id = c.subject_id
      left join items i on i.company_id = p.company_id and i.id = p.item_id
      where c.company_id = ${ctx.companyId} and c.paper_id = ${receiptId} and c.purpose = 'payPage'`.execute(
    ctx.tx,
  )
  return rows.map(({ kind, agorot }) => ({ vatKind: kind, agorot }))
}

/**
 * The invoice of what a receipt left on account. It has the rate of the day on which the money was received, and that
 * day as far as the series and the books allow, else the nearest one; the money of the receipt closes it.
 */
async function invoiceOf(ctx: Ctx, row: Row): Promise<{ receiptId: string; id: string; number: number }> {
  const receipt = await loadDocument(ctx, row.id, true)
  const day = await paperDay(ctx, documentTypes.taxInvoice.id, row.day)
  const description = row.subject || say(receipt.language, 'vat.uninvoiced.line', { number: row.number })
  const sold = await soldBy(ctx, row.id)
  const prepared = await prepareDocument(
    ctx,
    {
      type: documentTypes.taxInvoice.id,
      customerId: receipt.customer_id!,
      date: day,
      dueDate: day,
      language: receipt.language,
      currency: receipt.currency,
      ...(receipt.currency === 'ILS' ? {} : { rate: receipt.rate }),
      subject: row.subject,
      rounding: 'none',
      lines: linesOfAmount(
        description.slice(0, 500),
        row.agorot,
        // What is held for its owner is no sale, and needs no invoice.
        sold.filter((one) => one.vatKind !== vatKinds.trustDeposit),
      ),
      closes: [{ documentId: row.id, amountAgorot: row.agorot, takesAgorot: row.agorot }],
    } as never,
    { exactly: row.agorot, vatRateBp: vatRateOn(row.day) },
  )
  const issued = await issuePrepared(ctx, prepared)
  return { receiptId: row.id, id: issued.id, number: issued.number }
}

/** Issues the missing invoices of the receipts that a person chose, the oldest first; all or none. */
export async function issueUninvoiced(
  ctx: Ctx,
  { ids }: z.output<typeof calls.issueUninvoiced.input>,
): Promise<z.output<typeof calls.issueUninvoiced.output>> {
  const found = await uninvoicedOf(ctx, sql<boolean>`d.id = any(${ids}::uuid[])`)
  const missing = ids.findIndex((id) => !found.some((row) => row.id === id))
  if (missing >= 0)
    throw new Failure('kit.badInput', {}, [{ path: `ids.${missing}`, code: 'vat.alreadyInvoiced' }])
  const rows = []
  for (const row of found)
    try {
      rows.push(await invoiceOf(ctx, row))
    } catch (e) {
      const failure = e instanceof Failure ? e : failureOf(e)
      if (failure.code === 'kit.failed') throw e
      const [first] = failure.errors
      throw new Failure('kit.badInput', {}, [
        {
          path: `ids.${ids.indexOf(row.id)}`,
          code: first?.code ?? failure.code,
          params: first?.params ?? failure.params,
        },
      ])
    }
  await ctx.audit('vat.issueUninvoiced', 'documents', rows[0]!.id, undefined, { count: rows.length })
  return { rows }
}
