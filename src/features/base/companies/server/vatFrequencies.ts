import { sql } from 'kysely'
import { addDays, addMonths, startOfMonth, type Day, type Period } from '#domain/day.ts'
import { reportingDays, type ReportingDays } from '#domain/law/dues.ts'
import { openVatPeriod, sinceEver, vatPeriodAmong, type VatFrequency } from '#domain/law/frequency.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'

/**
 * How often the business has reported VAT, in order; without a change as its settings say, from the
 * beginning.
 */
async function frequenciesOf(ctx: Ctx): Promise<VatFrequency[]> {
  const { rows } = await sql<VatFrequency>`select from_day as "from", months from vat_frequencies
      where company_id = ${ctx.companyId}
    union all select ${sinceEver}::date, vat_period_months from companies where id = ${ctx.companyId}
      and not exists (select 1 from vat_frequencies where company_id = ${ctx.companyId})
    order by 1`.execute(ctx.tx)
  return rows
}

/** The VAT period of a day, by the frequency that held on it. */
export async function vatPeriodsOf(ctx: Ctx): Promise<(day: Day) => Period> {
  const frequencies = await frequenciesOf(ctx)
  return (day) => vatPeriodAmong(frequencies, day)
}

/**
 * By when the business reports VAT, advances and withholding. Companies report VAT in detail, and so does a
 * business that handed such a report in within the last year: it has a later day.
 */
export async function reportingDaysOf(ctx: Ctx): Promise<ReportingDays> {
  const { rows } = await sql<{ isDetailed: boolean }>`select c.kind = 'company' or exists (
      select 1 from vat_filings f where f.company_id = c.id and f.kind = 'detailed' and f.reopened_at is null
        and f.to_day >= ${addMonths(ctx.today, -12)}) as "isDetailed"
    from companies c where c.id = ${ctx.companyId}`.execute(ctx.tx)
  return reportingDays(rows[0]?.isDetailed ?? false)
}

/** The days that are open in the VAT today: back into them a paper may be dated. */
export async function openVatPeriodOf(ctx: Ctx): Promise<Period> {
  const { rows } = await sql<Period>`select from_day as "from", to_day as "to" from locked_periods
    where company_id = ${ctx.companyId} and kind = 'vat' and reopened_at is null
      and to_day >= ${addDays(ctx.today, -100)}`.execute(ctx.tx)
  return openVatPeriod(ctx.today, await vatPeriodsOf(ctx), (await reportingDaysOf(ctx)).vat, rows)
}

/** The first day after everything that was reported. */
async function firstOpenDay(ctx: Ctx): Promise<Day> {
  const { rows } = await sql<{ last: Day | null }>`select max(to_day) as last from locked_periods
    where company_id = ${ctx.companyId} and kind = 'vat' and reopened_at is null`.execute(ctx.tx)
  return rows[0]!.last ? addDays(rows[0]!.last, 1) : sinceEver
}

/**
 * From when a change holds unless another day is asked for: from the beginning of the running period, or of
 * what of it is not reported yet.
 */
const changeFromOf = (frequencies: readonly VatFrequency[], today: Day, open: Day): Day => {
  const { from } = vatPeriodAmong(frequencies, today)
  return from < open ? open : from
}

export async function listVatFrequencies(ctx: Ctx) {
  const rows = await frequenciesOf(ctx)
  const { isDetailed } = await reportingDaysOf(ctx)
  return { rows, isDetailed, changeFrom: changeFromOf(rows, ctx.today, await firstOpenDay(ctx)) }
}

/** Whether the business has anything before a day that a period could be made of. */
async function hasPapersBefore(ctx: Ctx, day: Day): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean
  }>`select exists (select 1 from entries where company_id = ${ctx.companyId} and day < ${day})
    or exists (select 1 from documents where company_id = ${ctx.companyId} and ${isIssued()}
    and day < ${day}) as has`.execute(ctx.tx)
  return rows[0]!.has
}

/**
 * Sets how often VAT is reported from a day on. What was set from later days gives way; where nothing came
 * before, it has always been so.
 */
export async function setVatFrequency(ctx: Ctx, months: 1 | 2, wanted: Day | undefined): Promise<Day> {
  const frequencies = await frequenciesOf(ctx)
  const open = await firstOpenDay(ctx)
  const from = wanted ?? changeFromOf(frequencies, ctx.today, open)
  if (startOfMonth(from) !== from) throw failField('vatPeriodFrom', 'companies.notMonthStart')
  if (from < open) throw failField('vatPeriodFrom', 'companies.vatReported', { day: open })
  // What is in the settings is what holds today.
  if (wanted !== undefined && from > ctx.today) throw failField('vatPeriodFrom', 'companies.vatFromFuture')
  const isFirst = open === sinceEver && !(await hasPapersBefore(ctx, from))
  if (isFirst) {
    await sql`delete from vat_frequencies where company_id = ${ctx.companyId}`.execute(ctx.tx)
    return sinceEver
  }
  const put = (day: Day, every: 1 | 2) =>
    sql`insert into vat_frequencies (company_id, from_day, months, set_by)
      values (${ctx.companyId}, ${day}, ${every}, ${ctx.caller.userId})
      on conflict (company_id, from_day) do nothing`.execute(ctx.tx)
  // Until the first change the settings alone said how it had always been.
  await put(frequencies[0]!.from, frequencies[0]!.months)
  await sql`delete from vat_frequencies where company_id = ${ctx.companyId} and from_day >= ${from}`.execute(
    ctx.tx,
  )
  if (frequencies.findLast((one) => one.from < from)?.months !== months) await put(from, months)
  return from
}
