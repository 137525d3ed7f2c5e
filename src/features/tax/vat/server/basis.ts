import { sql, type RawBuilder } from 'kysely'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Company } from '#features/base/companies/endpoints.ts'
import { companyOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'

export type Basis = 'accrual' | 'cash'

export type ReportingCompany = Company & {
  /** The VAT period of a day, as often as the business reported then. */
  periodOn: (day: Day) => Period
  /** Of the detailed report: '6' of a non-profit, which charges no VAT and still names its bills. */
  reportType: '1' | '6'
}

/** The business, when it reports to the VAT office at all. */
export async function reportingCompany(ctx: Ctx): Promise<ReportingCompany> {
  const company = await companyOf(ctx)
  const isNonProfit = company.kind === 'nonProfit'
  if (!(await reportsVat(ctx))) throw fail('vat.noVat')
  return { ...company, periodOn: await vatPeriodsOf(ctx), reportType: isNonProfit ? '6' : '1' }
}

/** Whether the business reports VAT in some form; reports of VAT are listed for it alone. */
export async function reportsVat(ctx: Ctx): Promise<boolean> {
  const { kind } = await companyOf(ctx)
  return chargesVat(kind) || kind === 'nonProfit'
}

/** The same, when it has VAT to settle. */
export async function chargingCompany(ctx: Ctx): Promise<ReportingCompany> {
  const company = await reportingCompany(ctx)
  if (company.reportType === '6') throw fail('vat.noVat')
  return company
}

export interface BasisChange {
  from: Day
  basis: Basis
}

export async function basisChanges(ctx: Ctx): Promise<BasisChange[]> {
  const { rows } = await sql<BasisChange>`select from_day as "from", basis from vat_basis_changes
    where company_id = ${ctx.companyId} order by from_day`.execute(ctx.tx)
  return rows
}

export const basisOn = (changes: readonly BasisChange[], day: Day): Basis =>
  changes.findLast(({ from }) => from <= day)?.basis ?? 'accrual'

/** Whether a document counts as it is paid, by the day of its basis (`basisDayOf`). */
export const countsWhenPaid = (changes: readonly BasisChange[], basisDay: Day | null): boolean =>
  basisDay !== null && basisOn(changes, basisDay) === 'cash'

/**
 * Whether an invoice of that day waits to be paid. Of the time before anything was said of its basis, a
 * business is taken to have reported as it first did here: so its invoices from before are brought in.
 */
export const waitsFrom = (changes: readonly BasisChange[], day: Day): boolean =>
  (changes.findLast(({ from }) => from <= day) ?? changes[0])?.basis === 'cash'

/** Whether an open item was brought in with VAT that falls due as it is paid, whatever the basis is since. */
export const bringsVat = (ctx: Ctx): RawBuilder<boolean> => sql<boolean>`exists (select 1 from opening_items
  where company_id = ${ctx.companyId} and vat_agorot > 0 and document_id is not null)`

/**
 * By which day's basis a document `of` counts: its own; a credit's by that of the invoice it credits, so
 * that what was reported as it was written is reversed as it is written, and what is reported as it is paid
 * as it is paid back. Null where nothing is to be paid (a deposit covered all of it): it counts on its own day on
 * either basis, because no payment will ever come.
 */
export const basisDayOf = (
  of: string,
): RawBuilder<Day | null> => sql<Day | null>`case when ${sql.ref(`${of}.ils_total_agorot`)} = 0 then null
    when ${sql.ref(`${of}.type`)} = 10 then
    coalesce((select i.day from documents i
  where i.company_id = ${sql.ref(`${of}.company_id`)} and i.id = ${sql.ref(`${of}.source_id`)}),
    ${sql.ref(`${of}.day`)}) else ${sql.ref(`${of}.day`)} end`

/** The last day of everything that was filed; null where nothing was filed here. */
export async function reportedThrough(ctx: Ctx): Promise<Day | null> {
  const { rows } = await sql<{ last: Day | null }>`select max(to_day) as last from vat_filings
    where company_id = ${ctx.companyId} and reopened_at is null`.execute(ctx.tx)
  return rows[0]?.last ?? null
}

/** The first day after everything that was filed, or the first day of this period. */
async function firstOpenDay(ctx: Ctx, periodOn: (day: Day) => Period): Promise<Day> {
  const last = await reportedThrough(ctx)
  return last ? addDays(last, 1) : periodOn(ctx.today).from
}

export async function getBasis(ctx: Ctx) {
  const { periodOn } = await chargingCompany(ctx)
  const rows = await basisChanges(ctx)
  return { basis: basisOn(rows, ctx.today), changeFrom: await firstOpenDay(ctx, periodOn), rows }
}

/** Holds for invoices from the first day of a period on; what was invoiced before stays as it was counted. */
export async function changeBasis(
  ctx: Ctx,
  { basis, from }: { basis: Basis; from: Day },
): Promise<{ done: true }> {
  const { periodOn } = await chargingCompany(ctx)
  if (periodOn(from).from !== from) throw failField('from', 'vat.notPeriodStart')
  const { rows } =
    await sql`select 1 from vat_filings where company_id = ${ctx.companyId} and reopened_at is null
        and to_day >= ${from} limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('vat.basisFiled')
  const before = await basisChanges(ctx)
  await sql`insert into vat_basis_changes (company_id, from_day, basis, created_by)
    values (${ctx.companyId}, ${from}, ${basis}, ${ctx.caller.userId})
    on conflict (company_id, from_day) do update set basis = excluded.basis, created_by = excluded.created_by,
      created_at = now()`.execute(ctx.tx)
  await ctx.audit(
    'vat.changeBasis',
    'companies',
    ctx.companyId,
    { basis: basisOn(before, from) },
    { basis, from },
  )
  return { done: true }
}
