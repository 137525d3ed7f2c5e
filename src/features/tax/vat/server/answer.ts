import { sql } from 'kysely'
import { addDays, endOfMonth, startOfMonth, type Day, type Period } from '#domain/day.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { inShekels, type ReturnFigures } from '#domain/vat/papers.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { reportingDaysOf } from '#features/base/companies/server/index.ts'
import type { vatAnswer, VatFiling } from '../endpoints.ts'
import { monthName, neighbours } from '../period.ts'
import { basisChanges, bringsVat, chargingCompany, reportedThrough } from './basis.ts'
import { broughtUntil } from './books.ts'
import { keptFigures, periodFor, refusePart, standingFiling, unfiledBefore, wasReported } from './filings.ts'
import { owedToAuthority, settlementOfFiling } from './settle.ts'
import { summarise } from './summary.ts'

/*
 * One answer to what is owed for VAT and when. The VAT screen, the home page and the money that is the business's own
 * ask here, so that they cannot say different figures.
 */

type Answer = OutputOf<typeof vatAnswer>
type State = Answer['state']
/** A period by what it comes to, as the return carries it: whole shekels. */
interface Standing {
  period: Period
  filing: VatFiling | null
  figures: ReturnFigures
  state: State
  /** What is still to be paid of it; negative: to come back. */
  leftAgorot: number
  /** How much of it is on the account of the authority. */
  settledAgorot: number
}

/** What the running period comes to so far, and of the one before it while it is not reported or not paid. */
export async function standings(ctx: Ctx): Promise<{ now: Standing; running: Standing }> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const first = periodOn(ctx.today)
  const running = await periodFor(ctx, monthName(first), periodOn)
  const last = await periodFor(ctx, monthName(periodOn(addDays(running.from, -1))), periodOn)
  const open = await standingOf(ctx, running)
  const before = (await isPending(ctx, last)) ? await standingOf(ctx, last) : undefined
  return { now: before && before.state !== 'done' ? before : open, running: open }
}

/**
 * Whether the last period that is over is the one to be looked at: it was reported here, or is still to be. A business that
 * never reported here looks at it where something happened in it, and until the day of its report: later it was reported
 * elsewhere. One that reports here is shown a period without documents, too.
 */
async function isPending(ctx: Ctx, last: Period): Promise<boolean> {
  const until = await broughtUntil(ctx)
  if (wasReported(last, until)) return false
  const due = (await reportingDaysOf(ctx)).vat(last.to)
  const { rows } = await sql<{ files: boolean; filed: boolean; worked: boolean }>`select
      exists (select 1 from vat_filings where company_id = ${ctx.companyId} and reopened_at is null) as files,
      exists (select 1 from vat_filings where company_id = ${ctx.companyId} and reopened_at is null
        and from_day <= ${last.to} and to_day >= ${last.from}) as filed,
      exists (select 1 from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')}
        and d.day between ${last.from} and ${last.to})
      or exists (select 1 from expenses where company_id = ${ctx.companyId} and state = 'approved'
        and vat_day between ${last.from} and ${last.to}) as worked`.execute(ctx.tx)
  const { files, filed, worked } = rows[0]!
  return filed || files || (worked && ctx.today <= due)
}

/**
 * What a period comes to: as it was filed, or as it would be filed now. The office's list of clients asks here too.
 */
export async function vatOfPeriod(
  ctx: Ctx,
  period: Period,
): Promise<{ filing: VatFiling | null; figures: ReturnFigures }> {
  const filing = await standingFiling(ctx, period)
  return { filing, figures: filing ? await keptFigures(ctx, filing.id) : await figuresOf(ctx, period) }
}

async function standingOf(ctx: Ctx, period: Period): Promise<Standing> {
  const { filing, figures } = await vatOfPeriod(ctx, period)
  if (!filing)
    return {
      period,
      filing,
      figures,
      state: period.to < ctx.today ? 'toReport' : 'running',
      leftAgorot: figures.toPay,
      settledAgorot: 0,
    }
  const owed = (await owedToAuthority(ctx))?.owedAgorot ?? 0
  const isSettled = (await settlementOfFiling(ctx, filing.id)) !== null
  const left = owed + (isSettled ? 0 : figures.toPay)
  // The account holds other periods, too: of this one no more is left than it came to.
  const leftAgorot =
    figures.toPay >= 0
      ? Math.min(Math.max(0, left), figures.toPay)
      : Math.max(Math.min(0, left), figures.toPay)
  const state = leftAgorot > 0 ? 'toPay' : leftAgorot < 0 ? 'refund' : 'done'
  return { period, filing, figures, state, leftAgorot, settledAgorot: isSettled ? leftAgorot : 0 }
}

/**
 * Whether the figures of a period that is not reported are those of the detailed report, which rounds each of its records,
 * or of the plain return: by how the business reports. Of a running period the return says it in both.
 */
export const countsInDetail = async (ctx: Ctx, { to }: Period): Promise<boolean> =>
  to < ctx.today && (await reportingDaysOf(ctx)).isDetailed

/** The period as its return would be made now. */
async function figuresOf(ctx: Ctx, period: Period): Promise<ReturnFigures> {
  if (await countsInDetail(ctx, period)) return (await summarise(ctx, period)).filed
  const { rows } = await sql<{ byPapers: boolean }>`select ${bringsVat(ctx)}
      or exists (select 1 from uniform_papers where company_id = ${ctx.companyId})
      or exists (select 1 from uniform_entries where company_id = ${ctx.companyId})
      or exists (select 1 from vat_codes v join accounts a on a.company_id = v.company_id
        and a.id = v.account_id where v.company_id = ${ctx.companyId} and v.archived_at is null
          and a.number not in ('2100', '1200', '1210')) as "byPapers"`.execute(ctx.tx)
  const byCash = (await basisChanges(ctx)).some(({ basis }) => basis === 'cash')
  return rows[0]!.byPapers || byCash || !isMonths(period)
    ? (await summarise(ctx, period)).asReturn
    : inShekels(await inBooks(ctx, period))
}

const isMonths = ({ from, to }: Period): boolean => from === startOfMonth(from) && to === endOfMonth(to)

/** Where everything counts as it is written, the months of the books tell the VAT without their documents. */
async function inBooks(ctx: Ctx, { from, to }: Period): Promise<ReturnFigures> {
  const { rows } = await sql<{ number: string; amount: number }>`select a.number,
      sum(m.credit_agorot - m.debit_agorot)::bigint as amount from account_months m
    join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and a.number in ('2100', '1200', '1210')
      and m.month between ${startOfMonth(from)} and ${endOfMonth(to)} group by 1`.execute(ctx.tx)
  const of = (number: string) => rows.find((row) => row.number === number)?.amount ?? 0
  const [outputVat, inputVatOther, inputVatEquipment] = [of('2100'), -of('1200'), -of('1210')]
  return {
    taxableSales: 0,
    untaxedSales: 0,
    outputVat,
    inputVatOther,
    inputVatEquipment,
    toPay: outputVat - inputVatOther - inputVatEquipment,
  }
}

/** The VAT that is in the business's money and is not its own: of the period that waits, and of the running one. */
export async function vatHeld(ctx: Ctx): Promise<number> {
  const { now, running } = await standings(ctx)
  const ofBoth = now === running ? now.leftAgorot : now.leftAgorot + running.leftAgorot
  // What is reported and not paid of earlier periods is on the account of the authority.
  const owed = (await owedToAuthority(ctx))?.owedAgorot ?? 0
  return Math.max(0, ofBoth + Math.max(0, owed - now.settledAgorot))
}

/**
 * What VAT still takes from the money, besides what is on the account of the authority: of the last period that is over,
 * and of the running one so far. A refund is negative.
 */
export async function vatToCome(ctx: Ctx): Promise<{ lastAgorot: number; runningAgorot: number }> {
  const { now, running } = await standings(ctx)
  return {
    lastAgorot: now === running ? 0 : now.leftAgorot - now.settledAgorot,
    runningAgorot: running.leftAgorot,
  }
}

/** What the running period comes to so far. */
export async function ahead(ctx: Ctx): Promise<{ amountAgorot: number }> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  return { amountAgorot: (await vatOfPeriod(ctx, periodOn(ctx.today))).figures.toPay }
}

/** What the period that matters now comes to, by when, and what is to be done about it. */
export async function answer(ctx: Ctx, { period: month }: { period?: string | undefined }): Promise<Answer> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const now = month
    ? await standingOf(ctx, await periodFor(ctx, month, periodOn))
    : (await standings(ctx)).now
  const { period, filing, figures } = now
  const days = await reportingDaysOf(ctx)
  const { rows } = await sql<{ count: number; vat: number }>`select count(*)::int as count,
      coalesce(sum(recognised_vat_agorot), 0)::bigint as vat from expenses
    where company_id = ${ctx.companyId} and state in ('draft', 'waiting')
      and vat_day between ${period.from} and ${period.to}`.execute(ctx.tx)
  return {
    period,
    ...neighbours(period),
    state: now.state,
    outputVatAgorot: figures.outputVat,
    inputVatAgorot: figures.inputVatOther + figures.inputVatEquipment,
    toPayAgorot: figures.toPay,
    leftAgorot: now.leftAgorot,
    dueDay: days.vat(period.to),
    isByRule: dueOfPeriod(days.isDetailed ? 'detailedVat' : 'vat', period.to).basis === 'rule',
    isDetailed: days.isDetailed,
    isLate: !filing && days.vat(period.to) < ctx.today,
    waiting: { count: rows[0]!.count, vatAgorot: rows[0]!.vat },
    // A business that reports elsewhere has reported them there.
    unfiledBefore:
      filing || (await reportedThrough(ctx)) === null
        ? null
        : await unfiledBefore(ctx, period, periodOn, await broughtUntil(ctx)),
  }
}

/** For the home page: the figure, its period and its day. */
export async function answerInShort(ctx: Ctx): Promise<{ from: Day; to: Day; dueDay: Day; agorot: number }> {
  const { now } = await standings(ctx)
  const { vat } = await reportingDaysOf(ctx)
  return { ...now.period, dueDay: vat(now.period.to), agorot: now.leftAgorot }
}
