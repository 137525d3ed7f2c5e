import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { addDays, isInside, type Day, type Period } from '#domain/day.ts'
import type { ReturnFigures } from '#domain/vat/papers.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isInvoiceOrCredit, isIssued } from '#kit/server/data/documentFacts.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { missingEntries } from '#features/sales/documents/server/index.ts'
import type { VatFiling } from '../endpoints.ts'
import { neighbours, monthName, periodOfMonth } from '../period.ts'
import { reportingCompany } from './basis.ts'
import { owedToAuthority, pay, settle, settlementOfFiling, unsettle } from './settle.ts'
import { broughtUntil, reportedUntil } from './books.ts'
import { summarise } from './summary.ts'
import { openOf, workOut, type WorkedPeriod } from './worked.ts'

databaseFailures.PK260 = (e) => fail('vat.periodFiled', { day: e.message })
databaseFailures.PK261 = () => fail('vat.filingFrozen')

const filings = (
  ctx: Ctx,
  where: RawBuilder<unknown>,
) => sql<VatFiling>`select f.id, f.from_day as "from", f.to_day as "to", f.kind, f.basis,
    f.entry_count as "entryCount",
    (f.filed_figures->>'toPay')::bigint as "toPayAgorot", (f.filed_figures->>'outputVat')::bigint as
    "outputVatAgorot",
    ((f.filed_figures->>'inputVatOther')::bigint + (f.filed_figures->>'inputVatEquipment')::bigint) as
    "inputVatAgorot",
    f.file is not null as "hasFile", f.made_at as "madeAt", m.full_name as "madeBy", f.sent_day as "sentDay",
    f.confirmation, s.full_name as "sentBy",
    f.reopened_at as "reopenedAt", r.full_name as "reopenedBy", f.reopen_reason as "reopenReason"
  from vat_filings f left join users m on m.id = f.made_by left join users s on s.id = f.sent_by left
  join users r on r.id = f.reopened_by
  where f.company_id = ${ctx.companyId} and ${where} order by f.made_at desc, f.id desc limit 500`

async function filingOf(ctx: Ctx, id: string): Promise<VatFiling> {
  const { rows } = await filings(ctx, sql`f.id = ${id}`).execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Totals of the whole business are for those who see it whole. */
export const refusePart = (ctx: Ctx): void => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

export async function listFilings(ctx: Ctx): Promise<{ rows: VatFiling[] }> {
  refusePart(ctx)
  return { rows: (await filings(ctx, sql`true`).execute(ctx.tx)).rows }
}

/** The filing that stands for a period. */
export async function standingFiling(ctx: Ctx, { from, to }: Period): Promise<VatFiling | null> {
  const { rows } = await filings(
    ctx,
    sql`f.reopened_at is null and f.from_day <= ${to} and f.to_day >= ${from}`,
  ).execute(ctx.tx)
  return rows[0] ?? null
}

/**
 * The period of a month, as often as was reported then. What was reported stays a period of its own when the
 * business goes over from two months to one or back, and what is left of a period a part of which was
 * reported is the rest of it.
 */
export async function periodFor(
  ctx: Ctx,
  month: string | undefined,
  periodOn: (day: Day) => Period,
): Promise<Period> {
  const period = periodOfMonth(month, ctx.today, periodOn)
  const { rows } = await sql<Period>`select from_day as "from", to_day as "to" from vat_filings
      where company_id = ${ctx.companyId} and reopened_at is null
    and from_day <= ${period.to} and to_day >= ${period.from}`.execute(ctx.tx)
  const day = `${month ?? monthName(period)}-01`
  const reported = rows.find(({ from, to }) => from <= day && day <= to)
  if (reported) return reported
  return rows.reduce(
    (rest, one) =>
      one.to < day ? { ...rest, from: addDays(one.to, 1) } : { ...rest, to: addDays(one.from, -1) },
    period,
  )
}

/** Whether all of it lies in the time that another program kept and reported. */
export const wasReported = ({ to }: Period, until: Day | null): boolean => until !== null && to <= until

/** The first period before this one that has papers of VAT and was not reported. */
export async function unfiledBefore(
  ctx: Ctx,
  { from }: Period,
  periodOn: (day: Day) => Period,
  until: Day | null,
): Promise<Period | null> {
  const { rows } = await sql<{
    day: Day | null
  }>`select min(d.day) as day from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')}
      and ${isInvoiceOrCredit('d')}
      and d.day < ${from}
      and d.day > coalesce((select max(f.to_day) from vat_filings f where f.company_id = ${ctx.companyId}
      and f.reopened_at is null and f.to_day < ${from}), '1900-01-01')
      and d.day > ${until === null ? '1900-01-01' : reportedUntil(until, periodOn)}`.execute(ctx.tx)
  return rows[0]?.day ? periodFor(ctx, rows[0].day.slice(0, 7), periodOn) : null
}

export async function periodFacts(ctx: Ctx, { period: month }: { period?: string | undefined }) {
  refusePart(ctx)
  const company = await reportingCompany(ctx)
  const { periodOn } = company
  const period = await periodFor(ctx, month, periodOn)
  const { counts, ...worked } = await summarise(ctx, period)
  const filing = await standingFiling(ctx, period)
  const until = await broughtUntil(ctx)
  const kept = filing && (await keptFigures(ctx, filing.id))
  return {
    period,
    ...neighbours(period),
    isOver: period.to < ctx.today,
    basis: filing?.basis ?? worked.basis,
    // What was filed stays what it was.
    figures: (Object.keys(worked.exact) as (keyof ReturnFigures)[]).map((name) => ({
      name,
      exactAgorot: worked.exact[name],
      booksAgorot: worked.booked[name],
      filedAgorot: (kept ?? worked.filed)[name],
      returnAgorot: (kept ?? worked.asReturn)[name],
    })),
    brought:
      until === null
        ? null
        : {
            until,
            isWhole: wasReported(period, until),
            differences: worked.broughtDiffers.map((d) => ({
              in: d.in,
              paperAgorot: d.paper,
              booksAgorot: d.books,
            })),
          },
    negative: worked.negative,
    counts: { sales: counts.sales, inputs: counts.inputs, entries: counts.entries },
    // Looked for only where something differs.
    missingEntries: worked.differences.length
      ? (await missingEntries(ctx)).filter(({ day }) => isInside(day, period)).length
      : 0,
    differences: worked.differences.map((d) => ({
      number: d.number,
      name: d.name,
      in: d.in,
      open: openOf(d.key),
      paperAgorot: d.paper,
      booksAgorot: d.books,
    })),
    faults: worked.findings,
    unnamed: worked.unnamed,
    filing,
    settlement: filing && (await settlementOfFiling(ctx, filing.id)),
    owed: company.reportType === '6' ? null : await owedToAuthority(ctx),
    exports: worked.exports,
    unfiledBefore: filing ? null : await unfiledBefore(ctx, period, periodOn, until),
  }
}

export async function keptFigures(ctx: Ctx, id: string): Promise<ReturnFigures> {
  const { rows } = await sql<{
    figures: ReturnFigures
  }>`select filed_figures as figures from vat_filings where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  return rows[0]!.figures
}

/** The figures as they were filed; null while the period is open. */
export async function filedFigures(ctx: Ctx, period: Period): Promise<ReturnFigures | null> {
  const filing = await standingFiling(ctx, period)
  return filing && filing.from === period.from && filing.to === period.to ? keptFigures(ctx, filing.id) : null
}

const fileAnswer = (text: Uint8Array, name: string): FileAnswer => ({
  bytes: text,
  mime: 'text/plain; charset=us-ascii',
  name,
})

/** The file names every customer, supplier and sum. */
function refuseHidden(ctx: Ctx): void {
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
}

export async function download(ctx: Ctx, { period: month }: { period: string }): Promise<FileAnswer> {
  refusePart(ctx)
  refuseHidden(ctx)
  const { periodOn } = await reportingCompany(ctx)
  const period = await periodFor(ctx, month, periodOn)
  const filing = await standingFiling(ctx, period)
  if (filing?.hasFile) return filingFile(ctx, filing)
  const worked = await workOut(ctx, period)
  refuseDifferent(worked)
  refuseFaulty(worked)
  await ctx.audit('vat.download', 'companies', ctx.companyId, undefined, { period: monthName(period) })
  return fileAnswer(Buffer.from(worked.text, 'ascii'), 'PCN874.TXT')
}

export async function filingFile(ctx: Ctx, { id }: { id: string }): Promise<FileAnswer> {
  refusePart(ctx)
  refuseHidden(ctx)
  const { rows } = await sql<{
    file: Buffer | null
  }>`select file from vat_filings where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]?.file) throw fail('kit.notFound')
  return fileAnswer(rows[0].file, 'PCN874.TXT')
}

/** The file is what the authority takes: like the filing it leaves only when both ways agree. */
function refuseDifferent({ differences }: WorkedPeriod): void {
  if (differences.length) throw fail('vat.differ', { count: differences.length })
}

function refuseFaulty(worked: WorkedPeriod): void {
  if (worked.negative.length) throw fail('vat.negative')
  const wrong = worked.faults.filter((f) => !f.isWarning)
  if (wrong.length) throw fail('vat.faulty', { count: wrong.length, code: wrong[0]!.code })
}

/**
 * Reports a period: the figures and the file are kept as they are now and the period is locked for VAT. The
 * business's row is held first, so that nothing that is being issued at this moment is left out. `lockedAt`: of a made-up
 * year, whose entries are all of one moment.
 */
export async function file(
  ctx: Ctx,
  {
    period: month,
    kind,
    settle: settles = false,
  }: { period: string; kind: 'detailed' | 'return'; settle?: boolean },
  lockedAt: Date | null = null,
): Promise<VatFiling> {
  refusePart(ctx)
  refuseHidden(ctx)
  const { periodOn, reportType } = await reportingCompany(ctx)
  const isNonProfit = reportType === '6'
  // The strongest lock, because it must hold up what refers to the row: every paper and entry that is being
  // written.
  await sql`select 1 from companies where id = ${ctx.companyId} for update`.execute(ctx.tx)
  const period = await periodFor(ctx, month, periodOn)
  if (period.to >= ctx.today) throw fail('vat.periodNotOver', { day: period.to })
  if (await standingFiling(ctx, period)) throw fail('vat.alreadyFiled')
  const worked = await workOut(ctx, period)
  refuseDifferent(worked)
  if (kind === 'detailed') refuseFaulty(worked)
  const filed = kind === 'detailed' ? worked.asDetailed : worked.asReturn
  const id = newId()
  const lockId = newId()
  const bytes = kind === 'detailed' ? Buffer.from(worked.text, 'ascii') : null
  await sql`insert into locked_periods (company_id, id, kind, from_day, to_day, locked_at, locked_by)
    values (${ctx.companyId}, ${lockId}, 'vat', ${period.from}, ${period.to},
      coalesce(${lockedAt}::timestamptz, clock_timestamp()), ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`insert into vat_filings (company_id, id, from_day, to_day, kind, basis, figures, filed_figures,
      entry_count, file, file_sha256, lock_id, made_by, made_at)
    values (${ctx.companyId}, ${id}, ${period.from}, ${period.to}, ${kind}, ${worked.basis},
      ${JSON.stringify(worked.exact)}, ${JSON.stringify(filed)},
      ${kind === 'detailed' ? worked.entries.length : 0}, ${bytes},
      ${bytes && createHash('sha256').update(bytes).digest()}, ${lockId}, ${ctx.caller.userId},
      ${ctx.now})`.execute(ctx.tx)
  await sql`insert into vat_filing_papers (company_id, filing_id, papers) values (${ctx.companyId}, ${id},
      ${JSON.stringify({ sales: worked.sales, inputs: worked.inputs })})`.execute(ctx.tx)
  await ctx.audit('vat.file', 'vatFilings', id, undefined, {
    from: period.from,
    to: period.to,
    kind,
    toPayAgorot: filed.toPay,
  })
  // What the other program reported it also settled.
  if (settles && !isNonProfit && !wasReported(period, await broughtUntil(ctx))) await settle(ctx, id)
  return filingOf(ctx, id)
}

async function standingById(ctx: Ctx, id: string): Promise<{ lockId: string }> {
  const { rows } = await sql<{
    lockId: string
    gone: boolean
  }>`select lock_id as "lockId", reopened_at is not null as gone from vat_filings
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].gone) throw fail('vat.notFiled')
  return rows[0]
}

export async function markSent(
  ctx: Ctx,
  { id, day, confirmation }: { id: string; day: Day; confirmation: string },
): Promise<VatFiling> {
  refusePart(ctx)
  await standingById(ctx, id)
  const before = await filingOf(ctx, id)
  if (day > ctx.today) throw failField('day', 'vat.dayInFuture')
  if (day <= before.to) throw failField('day', 'vat.dayBeforeEnd', { day: addDays(before.to, 1) })
  await sql`update vat_filings set sent_day = ${day}, confirmation = ${confirmation},
      sent_by = ${ctx.caller.userId}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'vat.markSent',
    'vatFilings',
    id,
    { sentDay: before.sentDay, confirmation: before.confirmation },
    { sentDay: day, confirmation },
  )
  return filingOf(ctx, id)
}

/** The period is open for VAT again; the filing, its file and the reason stay. */
export async function reopen(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<VatFiling> {
  refusePart(ctx)
  const { lockId } = await standingById(ctx, id)
  // By the database's clock, like the lock itself and the payments that it distinguishes.
  await sql`update vat_filings set reopened_at = clock_timestamp(), reopened_by = ${ctx.caller.userId},
      reopen_reason = ${reason}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await sql`update locked_periods set reopened_at = clock_timestamp(), reopened_by = ${ctx.caller.userId},
      reopen_reason = ${reason}
    where company_id = ${ctx.companyId} and id = ${lockId} and reopened_at is null`.execute(ctx.tx)
  await unsettle(ctx, id)
  await ctx.audit('vat.reopen', 'vatFilings', id, undefined, { reason })
  return filingOf(ctx, id)
}

/** Moves the VAT of a filing to the account of the VAT authority, some time after it was filed. */
export async function settleFiling(ctx: Ctx, { id }: { id: string }): Promise<{ entryId: string }> {
  refusePart(ctx)
  refuseHidden(ctx)
  const { entryId } = await settle(ctx, id)
  return { entryId }
}

export async function payVat(ctx: Ctx, payment: Parameters<typeof pay>[1]): Promise<{ entryId: string }> {
  refusePart(ctx)
  refuseHidden(ctx)
  return pay(ctx, payment)
}
