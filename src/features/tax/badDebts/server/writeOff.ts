import { sql } from 'kysely'
import type { z } from 'zod'
import type { Period } from '#domain/day.ts'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { formatMoney } from '#domain/format.ts'
import { badDebtWindow } from '#domain/law/badDebt.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { vatPeriodsOf } from '#features/base/companies/server/index.ts'
import {
  loadDocument,
  writeOffDocument,
  type StoredDocument,
} from '#features/sales/documents/server/index.ts'
import { basisChanges, countsWhenPaid, reportedThrough } from '#features/tax/vat/server/index.ts'
import type * as calls from '../endpoints.ts'

const refused = (path: string, code: string, params: Record<string, string | number> = {}) =>
  new Failure('kit.badInput', {}, [{ path, code, params }])

const pausedOf = ({ pausedFrom, pausedTo }: calls.Asked): Period | undefined => {
  if (!pausedFrom && !pausedTo) return undefined
  if (!pausedFrom || !pausedTo) throw refused(pausedFrom ? 'pausedTo' : 'pausedFrom', 'fields.need')
  if (pausedFrom > pausedTo) throw refused('pausedTo', 'fields.range')
  return { from: pausedFrom, to: pausedTo }
}

/** An invoice of ours of which something is open, and how its VAT is reported. */
interface Debt {
  invoice: StoredDocument
  openAgorot: number
  window: Period | null
  isByReceipts: boolean
}

async function debtOf(ctx: Ctx, given: calls.Asked, lock: boolean): Promise<Debt> {
  const invoice = await loadDocument(ctx, given.id, lock)
  const isOurs = typeFacts(invoice.type).isInvoice && statusFacts(invoice.status).isLive
  // An item of the books before has no lines and no VAT of its own here; a payment of a bad debt has a period already.
  if (!isOurs || invoice.series.endsWith('#opening') || invoice.is_bad_debt) throw fail('badDebts.notInvoice')
  const openAgorot = Math.min(invoice.open_in_currency_agorot, invoice.total_agorot - invoice.credited_agorot)
  if (openAgorot <= 0) throw fail('badDebts.nothingOpen')
  // Money held for its owner was no income, so that it is no loss either.
  if (invoice.ils_held_agorot !== 0) throw fail('badDebts.held')
  const changes = await basisChanges(ctx)
  return {
    invoice,
    openAgorot,
    window: invoice.ils_vat_agorot === 0 ? null : badDebtWindow(invoice.day, pausedOf(given)),
    isByReceipts: !typeFacts(invoice.type).isPaidInvoice && countsWhenPaid(changes, invoice.day),
  }
}

/** The credit invoice of the write-off, once the amount and the day are what the law allows. */
async function creditOf(ctx: Ctx, { invoice, openAgorot, window }: Debt, given: calls.Asked) {
  const date = given.date ?? ctx.today
  const agorot = given.agorot ?? openAgorot
  if (agorot > openAgorot) throw refused('agorot', 'badDebts.aboveOpen', { open: formatMoney(openAgorot) })
  if (window && date < window.from) throw refused('date', 'badDebts.tooEarly', { day: window.from })
  if (window && date > window.to) throw refused('date', 'badDebts.tooLate', { day: window.to })
  const credit = await writeOffDocument(ctx, invoice, {
    agorot,
    date,
    reason: say(invoice.language, 'badDebts.reason'),
  })
  return loadDocument(ctx, credit.id)
}

/** Told by doing it: the credit invoice is issued and rolled back, so that what is shown is what will be issued. */
export async function plan(
  ctx: Ctx,
  given: z.output<typeof calls.planWriteOff.input>,
): Promise<z.output<typeof calls.planWriteOff.output>> {
  const debt = await debtOf(ctx, given, false)
  const { invoice, openAgorot, window, isByReceipts } = debt
  await sql`savepoint bad_debt`.execute(ctx.tx)
  try {
    const credit = await creditOf(ctx, debt, given)
    const period = (await vatPeriodsOf(ctx))(credit.day)
    return {
      currency: invoice.currency,
      openAgorot,
      totalAgorot: credit.total_agorot,
      expenseAgorot: credit.ils_net_agorot,
      vatAgorot: credit.ils_vat_agorot,
      vatBackAgorot: isByReceipts ? 0 : credit.ils_vat_agorot,
      vatPeriod: { from: period.from, to: period.to },
      window,
      isByReceipts,
    }
  } finally {
    await sql`rollback to savepoint bad_debt`.execute(ctx.tx)
  }
}

/**
 * Writes a debt off (VAT Law, section 49; VAT Regulations, 24A): what is open becomes an expense, and the VAT that was
 * paid for it is deducted in the return of the credit invoice.
 */
export async function writeOff(
  ctx: Ctx,
  { ground, steps, vatPaid, ...given }: z.output<typeof calls.writeOffDebt.input>,
): Promise<z.output<typeof calls.writeOffDebt.output>> {
  const debt = await debtOf(ctx, given, true)
  const { invoice, isByReceipts } = debt
  const givesVatBack = invoice.ils_vat_agorot !== 0 && !isByReceipts
  if (givesVatBack && !vatPaid) throw refused('vatPaid', 'badDebts.vatPaidNeeded')
  const reported = await reportedThrough(ctx)
  if (givesVatBack && reported !== null && invoice.day > reported) throw fail('badDebts.notReported')
  const credit = await creditOf(ctx, debt, given)
  const paused = pausedOf(given)
  await sql`insert into bad_debts (company_id, document_id, invoice_id, ground, steps, paused_from, paused_to,
      vat_paid, created_by)
    values (${ctx.companyId}, ${credit.id}, ${invoice.id}, ${ground}, ${steps}, ${paused?.from ?? null},
      ${paused?.to ?? null}, ${vatPaid ?? false}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('badDebts.writeOff', 'documents', invoice.id, undefined, {
    creditId: credit.id,
    totalAgorot: credit.total_agorot,
    ground,
    steps,
  })
  return { id: credit.id, type: credit.type, number: credit.number! }
}
