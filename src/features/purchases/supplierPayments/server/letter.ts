import { sql } from 'kysely'
import { formatDay, formatMoment, formatPercent, withCurrency } from '#domain/format.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { reportPdf, type ReportData, type ReportRow } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, letterhead } from '#features/base/companies/server/index.ts'
import type { SupplierPaymentAnswer } from '../endpoints.ts'
import { paymentOf } from './lists.ts'

/** The supplier gets the email in the supplier's language. */
async function languageOf(ctx: Ctx, supplierId: string): Promise<Language> {
  const { rows } = await sql<{
    language: Language
  }>`select language from parties where company_id = ${ctx.companyId} and id = ${supplierId}`.execute(ctx.tx)
  return rows[0]!.language
}

/**
 * What was paid for what, and what was withheld. The yearly certificate of the law (form 857) is another
 * paper.
 */
export async function letter(ctx: Ctx, id: string): Promise<Later<FileAnswer>> {
  // Nothing but figures.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const payment = await paymentOf(ctx, id)
  const paper = await paperOf(ctx, payment)
  return new Later(async () => ({
    bytes: await reportPdf(paper),
    mime: 'application/pdf',
    name: `payment-${payment.number}.pdf`,
    inline: true,
  }))
}

async function paperOf(ctx: Ctx, payment: SupplierPaymentAnswer): Promise<ReportData> {
  const language = await languageOf(ctx, payment.supplierId)
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const business = await letterhead(ctx)
  const rows: ReportRow[] = payment.bills.map((one) => ({
    kind: 'row',
    cells: [one.number, one.details, one.day, one.totalAgorot, one.paidAgorot],
  }))
  const sumRow = (kind: 'row' | 'subtotal' | 'total', label: string, agorot: number): ReportRow => ({
    kind,
    cells: [null, label, null, null, agorot],
  })
  rows.push(sumRow('subtotal', t('supplierpayments.fields.grossAgorot'), payment.grossAgorot))
  if (payment.withheldAgorot)
    rows.push(
      sumRow(
        'row',
        payment.byHand || payment.withheldBp === null
          ? t('supplierpayments.fields.withheldAgorot')
          : t('supplierpayments.letter.withheld', { rate: formatPercent(payment.withheldBp, language) }),
        -payment.withheldAgorot,
      ),
    )
  rows.push(sumRow('total', t('supplierpayments.fields.netAgorot'), payment.netAgorot))
  return {
    language,
    title: t('supplierpayments.letter.title', { number: payment.number }),
    subtitle: [
      formatDay(payment.day),
      payment.supplierName,
      ...(payment.supplierTaxId ? [payment.supplierTaxId] : []),
      t(`supplierpayments.means.${payment.means}`),
      ...(payment.reference ? [payment.reference] : []),
      ...(payment.cancelled ? [t('supplierpayments.state.cancelled')] : []),
    ],
    business,
    columns: [
      { label: t('supplierpayments.letter.bill'), kind: 'code' },
      { label: t('supplierpayments.letter.details'), kind: 'text' },
      { label: t('supplierpayments.letter.day'), kind: 'day' },
      { label: t('supplierpayments.letter.total'), kind: 'money' },
      { label: t('supplierpayments.letter.paid'), kind: 'money' },
    ],
    rows,
    footer: [t('kit.report.made', { who: business.name, when: formatMoment(ctx.now) })],
    pageWords: t('kit.report.page'),
    madeAt: ctx.now,
    accent: business.accent,
  }
}

/** Queues the letter; it leaves after the commit. */
export async function send(
  ctx: Ctx,
  { id, to }: { id: string; to?: string | undefined },
): Promise<{ messageId: string }> {
  const payment = await paymentOf(ctx, id)
  const address = to ?? payment.supplierEmail
  if (!address) throw failField('to', 'supplierPayments.noMail')
  // People who may not see the amounts may send them to their owner, and not to themselves.
  if (ctx.caller.hideTotalPrices && address.toLowerCase() !== payment.supplierEmail?.toLowerCase())
    throw failField('to', 'documents.onlyToCustomer')
  const language = await languageOf(ctx, payment.supplierId)
  const { name } = await companyOf(ctx)
  const words = {
    number: payment.number,
    business: name,
    sum: withCurrency(payment.netAgorot, 'ILS', language),
    day: formatDay(payment.day),
  }
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
    values (${ctx.companyId}, ${messageId}, 'supplierPayment', 'mail', ${address},
      ${say(language, 'supplierpayments.letter.subject', words)},
      ${say(language, payment.onTheWay ? 'supplierpayments.letter.textAhead' : 'supplierpayments.letter.text', words)}, ${ctx.caller.userId})`.execute(
    ctx.tx,
  )
  await sql`update supplier_payments set sent_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later('supplierPayments.mail', { messageId, paymentId: id })
  await ctx.audit('supplierpayments.send', 'supplierpayments', id, undefined, { to: address })
  return { messageId }
}

export const mailLetter: Job = (ctx, { messageId, paymentId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const payment = await paymentOf(ctx, String(paymentId))
    const content = Buffer.from(await reportPdf(await paperOf(ctx, payment)))
    return {
      from: await companyOf(ctx),
      attachments: [{ filename: `payment-${payment.number}.pdf`, content, contentType: 'application/pdf' }],
    }
  })
