import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { yearOf, type Day } from '#domain/day.ts'
import {
  maySmall,
  mayTakeFrom,
  smallConditions,
  smallStatement,
  takesSmall,
  type SmallElection,
  type SmallStatement,
} from '#domain/filings/smallBusiness.ts'
import { dueOfYear } from '#domain/law/dues.ts'
import { inForceOn } from '#domain/law/figures.ts'
import { formatDay, formatMoment, formatPercent } from '#domain/format.ts'
import { sum } from '#domain/money.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { reportPdf, type ReportData, type ReportRow } from '#kit/server/paper/report.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, letterhead, smallElections } from '#features/base/companies/server/index.ts'
import { turnoverByMonth } from '#features/tax/vat/server/index.ts'
import type * as calls from '../endpoints.ts'
import { differencesOfAdvancesIn, withheldIn } from './bothWays.ts'
import { daysOf } from './form856.ts'
import { refuseFigures, refusePartSight } from './sight.ts'

type Input<T extends { input: z.ZodType }> = z.output<T['input']>
type Output<T extends { output: z.ZodType }> = z.output<T['output']>
type Filed = Output<typeof calls.getSmallStatement>

const done = { done: true as const }

const figuresOf = (of: SmallStatement): calls.SmallFigures => ({
  turnoverAgorot: of.turnover,
  compensationAgorot: of.compensation,
  wholeAgorot: of.whole,
  rateBp: of.rateBp,
  deductionAgorot: of.deduction,
  otherPaymentsAgorot: of.otherPayments,
  incomeAgorot: of.income,
  withheldAgorot: of.withheld,
})

async function paymentsOf(ctx: Ctx, year: number): Promise<calls.SmallPaymentRow[]> {
  const { from, to } = daysOf(year)
  const { rows } = await sql<calls.SmallPaymentRow>`select id, day, kind, amount_agorot as "amountAgorot",
      withheld_agorot as "withheldAgorot", note
    from small_payments where company_id = ${ctx.companyId} and day between ${from} and ${to}
    order by day, id`.execute(ctx.tx)
  return rows
}

/** Expenses of a year by the books. */
async function expensesIn(ctx: Ctx, year: number): Promise<number> {
  const { from, to } = daysOf(year)
  const { rows } = await sql<{ agorot: number }>`select
      coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as agorot
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${from} and ${to}
      and a.kind = 'expense'`.execute(ctx.tx)
  return rows[0]!.agorot
}

async function workOut(ctx: Ctx, year: number, otherDeductions: number) {
  const [months, payments, expenses] = [
    await turnoverByMonth(ctx, year),
    await paymentsOf(ctx, year),
    await expensesIn(ctx, year),
  ]
  const { papers } = await withheldIn(ctx, daysOf(year))
  const withheld = sum(papers.map((one) => one.amount))
  const figures = smallStatement({ year, months, payments, expenses, otherDeductions, withheld })
  return { months, payments, expenses, figures }
}

/** How many lines of the year's turnover and tax withheld the documents and the books tell differently. */
const differencesIn = async (ctx: Ctx, year: number): Promise<number> =>
  (await differencesOfAdvancesIn(ctx, daysOf(year))).length

/** A statement with the name of the person who filed it, by a condition on its row. */
async function filedBy(ctx: Ctx, one: RawBuilder<unknown>): Promise<Filed | null> {
  const { rows } = await sql<
    Omit<Filed, 'filedBy'> & { by: string | null }
  >`select id, year, filed_day as "filedDay", reference, figures, filed_by as by from small_statements
    where company_id = ${ctx.companyId} and reopened_at is null and ${one}`.execute(ctx.tx)
  if (!rows[0]) return null
  const { by, ...filed } = rows[0]
  const { rows: people } = await sql<{
    name: string
  }>`select full_name as name from users where id = ${by}`.execute(ctx.tx)
  return { ...filed, filedBy: people[0]?.name ?? null }
}

const filedIn = (ctx: Ctx, year: number): Promise<Filed | null> => filedBy(ctx, sql`year = ${year}`)

/** Whether the short statement of a year was filed. */
export const smallFiledIn = async (ctx: Ctx, year: number): Promise<boolean> =>
  (await filedIn(ctx, year)) !== null

async function refuseFiled(ctx: Ctx, fromYear: number, toYear: number): Promise<void> {
  const { rows } = await sql<{ year: number }>`select year from small_statements
    where company_id = ${ctx.companyId} and reopened_at is null and year between ${fromYear} and ${toYear}
    order by year limit 1`.execute(ctx.tx)
  if (rows[0]) throw fail('filings.smallFiled', { year: rows[0].year })
}

/** The elections and statements of a business change one after another. */
const lock = (ctx: Ctx) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`small business ${ctx.companyId}`}, 0))`.execute(ctx.tx)

/** What a small business declares and reports of a year, and what the ordinary method would come to. */
export async function show(
  ctx: Ctx,
  { year, otherDeductionsAgorot = 0 }: Input<typeof calls.smallBusiness>,
): Promise<Output<typeof calls.smallBusiness>> {
  refusePartSight(ctx)
  const { kind } = await companyOf(ctx)
  const elections = await smallElections(ctx)
  const isIndividual = maySmall(kind)
  const { months, payments, expenses, figures } = await workOut(ctx, year, otherDeductionsAgorot)
  const filed = await filedIn(ctx, year)
  const due = dueOfYear('smallStatement', year)
  const now = figuresOf(figures)
  return {
    year,
    isIndividual,
    takes: isIndividual && takesSmall(elections, year),
    mayTakeFrom: mayTakeFrom(elections, year),
    elections,
    conditions: [...smallConditions],
    relativesBp: inForceOn('smallFromRelatives', `${year}-12-31`) ?? null,
    declareUntil: `${year}-12-31`,
    dueDay: due.day,
    isByRule: due.basis === 'rule',
    isOver: yearOf(ctx.today) > year,
    figures: now,
    ceilingAgorot: figures.ceiling.limit,
    ceilingState: figures.ceiling.state,
    expensesAgorot: expenses,
    actualAgorot: figures.actual,
    actualIncomeAgorot: figures.actualIncome,
    better: figures.better,
    differenceAgorot: figures.difference,
    months: months.map((agorot, i) => ({ month: `${year}-${String(i + 1).padStart(2, '0')}`, agorot })),
    payments,
    filed,
    changedSince:
      filed !== null &&
      (Object.keys(now) as (keyof typeof now)[]).some((name) => filed.figures[name] !== now[name]),
    differences: await differencesIn(ctx, year),
  }
}

/** From a year on the business takes the deduction, or no more; what was set for later years gives way. */
export async function elect(ctx: Ctx, { year, takes, meetsConditions }: Input<typeof calls.electSmall>) {
  refusePartSight(ctx)
  await lock(ctx)
  if (takes) {
    const { kind } = await companyOf(ctx)
    if (!maySmall(kind)) throw fail('filings.notIndividual')
    if (!meetsConditions) throw failField('meetsConditions', 'filings.smallConditions')
    const first = mayTakeFrom(await smallElections(ctx), year)
    if (first > year) throw fail('filings.smallBarred', { year: first })
  }
  await refuseFiled(ctx, year, 9999)
  await sql`delete from small_elections where company_id = ${ctx.companyId} and from_year >= ${year}`.execute(
    ctx.tx,
  )
  if (takesSmall(await smallElections(ctx), year) !== takes)
    await sql`insert into small_elections (company_id, from_year, takes, set_by)
      values (${ctx.companyId}, ${year}, ${takes}, ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('filings.electSmall', 'companies', ctx.companyId, undefined, { year, takes })
  return done
}

export async function payment(ctx: Ctx, { id }: { id: string }): Promise<calls.SmallPaymentRow> {
  refusePartSight(ctx)
  const { rows } = await sql<calls.SmallPaymentRow>`select id, day, kind, amount_agorot as "amountAgorot",
      withheld_agorot as "withheldAgorot", note
    from small_payments where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function addPayment(
  ctx: Ctx,
  { date, kind, amountAgorot, withheldAgorot, note }: Input<typeof calls.addSmallPayment>,
): Promise<calls.SmallPaymentRow> {
  refusePartSight(ctx)
  if (date > ctx.today) throw failField('date', 'expenses.dateInFuture')
  if (withheldAgorot > amountAgorot) throw failField('withheldAgorot', 'fields.range')
  await lock(ctx)
  await refuseFiled(ctx, yearOf(date), yearOf(date))
  const id = newId()
  await sql`insert into small_payments (company_id, id, day, kind, amount_agorot, withheld_agorot, note,
      created_by)
    values (${ctx.companyId}, ${id}, ${date}, ${kind}, ${amountAgorot}, ${withheldAgorot}, ${note},
      ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('filings.addSmallPayment', 'companies', ctx.companyId, undefined, {
    day: date,
    kind,
    amountAgorot,
    withheldAgorot,
    note,
  })
  return payment(ctx, { id })
}

export async function dropPayment(ctx: Ctx, { id }: { id: string }) {
  await lock(ctx)
  const { id: _id, ...old } = await payment(ctx, { id })
  await refuseFiled(ctx, yearOf(old.day), yearOf(old.day))
  await sql`delete from small_payments where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('filings.dropSmallPayment', 'companies', ctx.companyId, old)
  return done
}

export async function statement(ctx: Ctx, { id }: { id: string }): Promise<Filed> {
  refusePartSight(ctx)
  const filed = await filedBy(ctx, sql`id = ${id}`)
  if (!filed) throw fail('kit.notFound')
  return filed
}

/** The statement as it was filed; before that, with the figures of the year as they are now. */
export async function statementPdf(
  ctx: Ctx,
  { year, language }: Input<typeof calls.smallStatementPdf>,
): Promise<Later<FileAnswer>> {
  refuseFigures(ctx)
  refusePartSight(ctx)
  if (!takesSmall(await smallElections(ctx), year)) throw fail('filings.smallNotTaken', { year })
  const filed = await filedBy(ctx, sql`year = ${year} and reopened_at is null`)
  const of = filed?.figures ?? figuresOf((await workOut(ctx, year, 0)).figures)
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const business = await letterhead(ctx)
  const row = (name: string, agorot: number): ReportRow => ({ kind: 'row', cells: [name, agorot] })
  const paper: ReportData = {
    language,
    title: t('filings.small.statementOf', { year: String(year) }),
    subtitle: [
      filed
        ? [t('filings.small.filed', { day: formatDay(filed.filedDay) }), filed.reference]
            .filter(Boolean)
            .join(' · ')
        : t('filings.small.notFiled'),
    ],
    business,
    columns: [
      { label: t('filings.small.field.name'), kind: 'text' },
      { label: t('filings.columns.amount'), kind: 'money', showZero: true },
    ],
    rows: [
      row(t('filings.small.field.turnover'), of.turnoverAgorot),
      row(t('filings.small.field.compensation'), of.compensationAgorot),
      row(t('filings.small.field.deduction', { rate: formatPercent(of.rateBp) }), -of.deductionAgorot),
      row(t('filings.small.line.otherPayments'), of.otherPaymentsAgorot),
      { kind: 'total', cells: [t('filings.small.line.income'), of.incomeAgorot] },
      row(t('filings.small.field.withheld'), of.withheldAgorot),
    ],
    footer: [formatMoment(ctx.now)],
    pageWords: t('kit.report.page'),
    madeAt: ctx.now,
    accent: business.accent,
  }
  return new Later(async () => ({
    bytes: await reportPdf(paper),
    mime: 'application/pdf',
    name: `small-business-${year}.pdf`,
    inline: true,
  }))
}

/** The statement itself is typed in at the authority's site; here its figures are kept as they were filed. */
export async function file(
  ctx: Ctx,
  { year, date, reference }: Input<typeof calls.fileSmallStatement>,
): Promise<Filed> {
  refusePartSight(ctx)
  const day: Day = date ?? ctx.today
  if (day > ctx.today) throw failField('date', 'expenses.dateInFuture')
  await lock(ctx)
  const { kind } = await companyOf(ctx)
  const elections: readonly SmallElection[] = await smallElections(ctx)
  if (!maySmall(kind) || !takesSmall(elections, year)) throw fail('filings.smallNotTaken', { year })
  if (yearOf(day) <= year) throw fail('filings.smallYearOpen', { year })
  await refuseFiled(ctx, year, year)
  const differences = await differencesIn(ctx, year)
  if (differences) throw fail('filings.differ', { count: differences })
  const { figures } = await workOut(ctx, year, 0)
  if (figures.ceiling.state === 'passed') throw fail('filings.smallPassed', { year })
  const id = newId()
  const kept = figuresOf(figures)
  await sql`insert into small_statements (company_id, id, year, filed_day, reference, figures, filed_by)
    values (${ctx.companyId}, ${id}, ${year}, ${day}, ${reference}, ${JSON.stringify(kept)}::jsonb,
      ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('filings.fileSmallStatement', 'companies', ctx.companyId, undefined, {
    year,
    day,
    reference,
    ...kept,
  })
  return statement(ctx, { id })
}

export async function reopen(ctx: Ctx, { id }: { id: string }) {
  await lock(ctx)
  const { year, filedDay, figures } = await statement(ctx, { id })
  await sql`update small_statements set reopened_at = ${ctx.now}, reopened_by = ${byOf(ctx)}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('filings.reopenSmallStatement', 'companies', ctx.companyId, {
    year,
    filedDay,
    ...figures,
  })
  return done
}
