import { sql } from 'kysely'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { lastVatDay } from '#domain/law/terms.ts'
import type { ExpensePaper } from '#domain/vat/shares.ts'
import { formatDay } from '#domain/format.ts'
import { sum } from '#domain/money.ts'
import { gateReasons, isAtRisk, reasonsOf, type GateBill } from '#domain/vat/gate.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { thresholdsFor } from '#features/registers/rates/server/index.ts'
import { postponeVat } from '#features/purchases/expenses/server/index.ts'
import type { GateRow } from '../endpoints.ts'
import { neighbours } from '../period.ts'
import { chargingCompany } from './basis.ts'
import { periodFor, refusePart, standingFiling } from './filings.ts'
import { supplierNumber, withSuppliers } from './papers.ts'

interface BillRow {
  id: string
  supplierId: string | null
  supplier: string
  email: string | null
  language: 'he' | 'en' | 'ar' | 'ru' | 'fr'
  paper: ExpensePaper
  number: string
  day: Day
  vatDay: Day
  taxId: string | null
  net: number
  vat: number
  recognised: number
  currency: string
  allocation: string
  answer: GateBill['answer']
  hasTwin: boolean
  state: string
  askedAt: string | null
}

const billsWhere = (ctx: Ctx, where: ReturnType<typeof sql>) => sql<BillRow>`
  select e.id, coalesce(k.id, e.supplier_id) as "supplierId", coalesce(k.name, p.name, '') as supplier,
    coalesce(nullif(k.email, ''), nullif(p.email, '')) as email,
    coalesce(k.language, p.language, 'he') as language, e.paper,
    e.supplier_number as number, e.day, e.vat_day as "vatDay", ${supplierNumber} as "taxId",
    e.ils_net_agorot as net, e.ils_vat_agorot as vat,
    e.recognised_vat_agorot as recognised, e.currency, e.allocation_number as allocation, c.answer, e.state,
    (e.supplier_id is not null and e.number_key <> ''
    and exists (select 1 from expenses o where o.company_id = e.company_id
      and o.supplier_id =
      any(array(select g.id from parties g where g.company_id = e.company_id
      and (g.id in (p.id, k.id) or g.merged_into in (p.id, k.id))))
      and o.number_key = e.number_key and o.id <> e.id and o.state not in ('rejected', 'cancelled'))) as
      "hasTwin",
    (select max(l.at) from audit_log l where l.company_id = e.company_id and l.entity_id = e.id
    and l.action = 'vat.ask') as "askedAt"
  from expenses e ${withSuppliers}
  left join lateral (select k.answer from supplier_number_checks k where k.company_id = e.company_id
    and k.expense_id = e.id and k.number = e.allocation_number
    and k.net_agorot = e.ils_net_agorot order by k.checked_at desc limit 1) c on true
  where e.company_id = ${ctx.companyId} and ${where} order by e.day, e.id`

const billOf = (row: BillRow): GateBill => ({
  paper: row.paper,
  day: row.day,
  vatDay: row.vatDay,
  supplierTaxId: row.taxId,
  number: row.number,
  net: row.net,
  vat: row.vat,
  recognised: row.recognised,
  isForeign: row.currency !== 'ILS',
  allocation: row.allocation,
  answer: row.answer,
  hasTwin: row.hasTwin,
})

/**
 * Bills of the period whose VAT is claimed without the allocation number that the law asks for (section 38(a1)): it may
 * not be deducted.
 */
export async function billsWithoutAllocation(ctx: Ctx, period: Period): Promise<number> {
  const { rows } = await billsWhere(
    ctx,
    sql`e.state = 'approved' and e.recognised_vat_agorot <> 0 and e.allocation_number = ''
        and e.vat_day between ${period.from} and ${period.to}`,
  ).execute(ctx.tx)
  const thresholdOn = await thresholdsFor(ctx)
  return rows.filter((row) => reasonsOf(billOf(row), period, thresholdOn).includes('noAllocation')).length
}

/** Every bill whose VAT is claimed in the period, those that still wait to be approved too. */
export async function gate(ctx: Ctx, { period: month }: { period?: string | undefined }) {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const period = await periodFor(ctx, month, periodOn)
  const { rows } = await billsWhere(
    ctx,
    sql`e.state in ('waiting', 'approved') and e.recognised_vat_agorot <> 0
        and e.vat_day between ${period.from} and ${period.to}`,
  ).execute(ctx.tx)
  const isFiled = (await standingFiling(ctx, period)) !== null
  const thresholdOn = await thresholdsFor(ctx)
  const judged = rows.map((row) => ({ row, reasons: reasonsOf(billOf(row), period, thresholdOn) }))
  const risky = judged.filter(({ reasons }) => reasons.some(isAtRisk))
  return {
    period,
    ...neighbours(period),
    isFiled,
    checked: rows.length,
    claimedAgorot: sum(rows.map((r) => r.recognised)),
    atRiskAgorot: sum(risky.map(({ row }) => row.recognised)),
    riskCount: risky.length,
    byReason: gateReasons.flatMap((reason) => {
      const those = judged.filter((one) => one.reasons.includes(reason))
      return those.length
        ? [
            {
              reason,
              count: those.length,
              atRiskAgorot: isAtRisk(reason) ? sum(those.map(({ row }) => row.recognised)) : 0,
            },
          ]
        : []
    }),
    rows: judged
      .filter(({ reasons }) => reasons.length > 0)
      .map(({ row, reasons }): GateRow => ({
        id: row.id,
        supplierId: row.supplierId,
        supplier: row.supplier,
        email: row.email,
        number: row.number,
        day: row.day,
        netAgorot: row.net,
        vatAgorot: row.vat,
        recognisedAgorot: row.recognised,
        allocation: row.allocation.slice(-9),
        inBooks: row.state === 'approved',
        reasons,
        postponeTo:
          isFiled || row.state !== 'approved' || row.paper === 'selfInvoice'
            ? null
            : nextDay(row, period, periodOn),
        askedAt: row.askedAt,
      }))
      .toSorted(
        (a, b) =>
          Number(b.reasons.some(isAtRisk)) - Number(a.reasons.some(isAtRisk)) ||
          b.recognisedAgorot! - a.recognisedAgorot!,
      ),
  }
}

/** The first day of the next period, when the law still lets the bill's VAT be claimed there. */
function nextDay(row: Pick<BillRow, 'day'>, period: Period, periodOn: (day: Day) => Period): Day | null {
  const next = addDays(period.to, 1)
  return next <= lastVatDay(row.day) || row.day >= periodOn(next).from ? next : null
}

export async function postpone(ctx: Ctx, { id }: { id: string }): Promise<{ vatDay: Day }> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const { rows } = await billsWhere(ctx, sql`e.id = ${id}`).execute(ctx.tx)
  const row = rows[0]
  if (!row) throw fail('kit.notFound')
  const period = await periodFor(ctx, row.vatDay.slice(0, 7), periodOn)
  if (await standingFiling(ctx, period)) throw fail('vat.periodFiled', { day: row.vatDay })
  const vatDay = nextDay(row, period, periodOn)
  // What a self-invoice owes and what it deducts stand in one period.
  if (!vatDay || row.recognised === 0 || row.paper === 'selfInvoice') throw fail('vat.notInPeriod')
  await postponeVat(ctx, id, vatDay)
  return { vatDay }
}

/** A letter in the supplier's language that names the bill and what it lacks. */
export async function ask(
  ctx: Ctx,
  { id, to }: { id: string; to?: string | undefined },
): Promise<{ messageId: string }> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const { rows } = await billsWhere(ctx, sql`e.id = ${id} and e.state in ('waiting', 'approved')`).execute(
    ctx.tx,
  )
  const row = rows[0]
  if (!row) throw fail('kit.notFound')
  const address = to ?? row.email
  if (!address) throw failField('to', 'vat.noMail')
  // The person who may not see the figures writes to their owner only.
  if (ctx.caller.hideTotalPrices && address.toLowerCase() !== row.email?.toLowerCase())
    throw failField('to', 'documents.onlyToCustomer')
  const askable = reasonsOf(billOf(row), periodOn(row.vatDay), await thresholdsFor(ctx)).filter(
    (r) => r !== 'duplicate' && r !== 'tooOld' && r !== 'tooEarly',
  )
  if (!askable.length) throw fail('vat.notInPeriod')
  const company = await companyOf(ctx)
  const words = { number: row.number, day: formatDay(row.day), business: company.name, taxId: company.taxId }
  const lacks = askable.map((reason) => `- ${say(row.language, `vat.letter.lacks.${reason}`)}`).join('\n')
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
    values (${ctx.companyId}, ${messageId}, 'vatQuestion', 'mail', ${address},
      ${say(row.language, 'vat.letter.subject', words)},
      ${`${say(row.language, 'vat.letter.open', words)}\n\n${lacks}\n\n${say(row.language, 'vat.letter.close', words)}`}, ${ctx.caller.userId})`.execute(
    ctx.tx,
  )
  await ctx.later('vat.mail', { messageId })
  await ctx.audit('vat.ask', 'expenses', id, undefined, { to: address, reasons: askable })
  return { messageId }
}

export const mailLetter: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))
