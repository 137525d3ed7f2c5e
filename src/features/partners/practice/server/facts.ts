import { sql, type RawBuilder } from 'kysely'
import type { ClosingLine } from '#domain/closing/closing.ts'
import { yearlyIn, type YearlyDuty } from '#domain/closing/yearly.ts'
import { chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { addDays, addMonths, endOfMonth, startOfMonth, yearOf, type Day, type Period } from '#domain/day.ts'
import { dueOfPeriod, dueOfYear, isYearDuty, type Duty, type YearDuty } from '#domain/law/dues.ts'
import { Failure } from '#kit/describe/errors.ts'
import { isolated } from '#kit/server/work/isolated.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { companyOf, reportingDaysOf, smallIn, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { checksOf } from '#features/books/periods/server/index.ts'
import { advances, namedIn856, smallFiledIn, withheldIn } from '#features/tax/filings/server/index.ts'
import { bankReconciliation } from '#features/money/matching/server/index.ts'
import { standingFiling, vatOfPeriod } from '#features/tax/vat/server/index.ts'
import { missingOf } from '#features/partners/requests/server/index.ts'
import type { ClientFacts } from '../endpoints.ts'

/** The part of a client's month that is the same for every office: the books' side of the list, amounts and days. */
export type BookFacts = Omit<ClientFacts, 'lines'> & {
  lines: (ClosingLine & {
    open: string | null
    signedBy: string | null
    signedAt: string | null
    dueDay?: Day
  })[]
}

const one = async <T>(ctx: Ctx, of: RawBuilder<unknown>): Promise<T> =>
  (await sql<T & object>`${of}`.execute(ctx.tx)).rows[0] as T

/** Certificates that end within so many days stand on the list. */
const daysBefore = 30

/** Where what is handed in once a year is prepared. */
const yearlyPage: Record<YearlyDuty, (year: number) => string> = {
  exemptStatement: (year) => `/invoice/reportincome?from=${year}-01-01&to=${year}-12-31`,
  smallStatement: (year) => `/invoice/smallbusiness?year=${year}`,
  form6111: (year) => `/invoice/report6111?year=${year}`,
  annualReturn: (year) => `/invoice/maazanbohan?from=${year}-01-01&to=${year}-12-31`,
}

/** Whether the books have anything of a year: of one before the business began nothing is handed in. */
const hadEntries = async (ctx: Ctx, year: number): Promise<boolean> =>
  (
    await one<{ had: boolean }>(
      ctx,
      sql`select exists (select 1 from account_months where company_id = ${ctx.companyId}
          and month between ${`${year}-01-01`} and ${`${year}-12-31`}) as had`,
    )
  ).had

/**
 * Totals a month of the business, completely, as the system: the result goes to offices the business agreed to, and
 * to nobody else.
 */
export async function factsOf(ctx: Ctx, month: Day): Promise<BookFacts> {
  const from = month
  const to = endOfMonth(month)
  const company = await companyOf(ctx)
  const id = ctx.companyId
  const days = sql`between ${from} and ${to}`
  const checks = await checksOf(ctx, 'month', { from, to })
  const { rows: papers, bills } = await missingOf(ctx, { from, to })
  const withheld = await withheldIn(ctx, to)
  const form856 = await namedIn856(ctx, to)
  const counts = await one<{
    lines: number
    accounts: number
    behind: number
    unmatched: number
    waiting: number
    ending: number
    asked: number
    answered: number
    entries: number
    isClosed: boolean
  }>(
    ctx,
    sql`select
      (select count(*)::int from bank_lines where company_id = ${id} and day ${days}) as lines,
      (select count(*)::int from bank_accounts where company_id = ${id} and archived_at is null) as accounts,
      -- An account whose statement does not reach the end of the month; three days of grace, for its last days may have moved nothing.
      (select count(*)::int from bank_accounts a where a.company_id = ${id} and a.archived_at is null
        and coalesce((select max(l.day) from bank_lines l where l.company_id = a.company_id
        and l.bank_account_id = a.id), '1900-01-01') < ${addDays(to, -3)}) as behind,
      (select count(*)::int from bank_lines l where l.company_id = ${id} and l.day ${days}
        and not exists (select 1 from match_lines m where m.company_id = l.company_id and m.line_id = l.id))
        as unmatched,
      (select count(*)::int from captured_papers
      where company_id = ${id} and state in ('waiting', 'reading', 'read')) as waiting,
      (select count(*)::int
      from (select kind, max(valid_to) as until from company_papers where company_id = ${id} group by kind) p
        where p.until < ${addDays(ctx.today, daysBefore)}) as ending,
      (select count(*)::int from client_requests where company_id = ${id} and state in ('asked', 'seen')) as
      asked,
      (select count(*)::int from client_requests where company_id = ${id} and state = 'answered') as answered,
      (select count(*)::int from entries where company_id = ${id} and day ${days}) as entries,
      exists (select 1 from locked_periods where company_id = ${id} and reopened_at is null
      and kind in ('month', 'year') and from_day <= ${from} and to_day >= ${to}) as "isClosed"`,
  )
  const unreconciled = counts.lines > 0 ? await unreconciledOf(ctx, to) : []
  const marks = await marksOf(ctx, month)
  const closing = await closingOf(ctx, month)
  const yearly = yearlyIn(company.kind, to, await smallIn(ctx))
  const hadBooks = yearly.length > 0 && (await hadEntries(ctx, yearly[0]!.year))
  const filedSmall = yearly.find(({ duty }) => duty === 'smallStatement')
  const isSmallFiled = filedSmall !== undefined && (await smallFiledIn(ctx, filedSmall.year))
  const line = (
    name: string,
    count: number,
    open: string | null,
    stops = false,
    dueDay?: Day,
  ): BookFacts['lines'][number] => {
    const mark = marks.get(name)
    return {
      line: name,
      state: count === 0 ? 'ok' : stops ? 'stop' : 'look',
      count,
      open,
      ...(dueDay ? { dueDay } : {}),
      isSigned: mark?.deed === 'signed',
      signedBy: mark?.deed === 'signed' ? mark.by : null,
      signedAt: mark?.deed === 'signed' ? mark.at : null,
    }
  }
  const check = (name: (typeof checks)[number]['name']) => {
    const found = checks.find((each) => each.name === name)
    return found ? [line(name, found.count, found.open, found.state === 'stop')] : []
  }
  const lines = [
    ...(counts.accounts > 0 ? [line('bankUntil', counts.behind, '/invoice/banklist')] : []),
    line('bankPapers', papers.length, '/invoice/cpaonline'),
    line('unmatched', counts.unmatched, '/invoice/atamotbank'),
    ...(counts.lines > 0
      ? [line('reconciled', unreconciled.length, unreconciledPage(unreconciled[0], to))]
      : []),
    line('usualBills', bills.length, '/invoice/cpaonline'),
    line('papers', counts.waiting, '/invoice/expensesspage'),
    ...check('expenses'),
    ...check('drafts'),
    ...check('batches'),
    ...check('allocation'),
    ...check('inputAllocation'),
    ...check('twoWays'),
    ...check('missingEntries'),
    ...check('trialBalance'),
    line('certificates', counts.ending, `/invoice/editcompany/${id}/papers`),
    ...check('vatFiled'),
    ...check('turnover'),
    ...(withheld
      ? [
          line(
            'form102',
            withheld.leftAgorot > 0 ? withheld.payees : 0,
            `/invoice/report102?from=${from}&to=${to}`,
          ),
        ]
      : []),
    // Whether it was filed is known only to the person who filed it: it is open until it is signed.
    ...(form856.payees > 0
      ? [
          line(
            'form856',
            form856.payees,
            `/invoice/report856?year=${form856.year}`,
            false,
            dueOfYear('form856', form856.year).day,
          ),
        ]
      : []),
    ...(hadBooks
      ? yearly.map(({ duty, year, dueDay }) =>
          line(
            duty,
            duty === 'smallStatement' && isSmallFiled ? 0 : 1,
            yearlyPage[duty](year),
            false,
            dueDay,
          ),
        )
      : []),
    // Lines of an office's own are signed by hand; whether they are asked, its list says.
    ...[...marks.keys()].filter((name) => name.startsWith('own:')).map((name) => line(name, 0, null)),
  ]
  return {
    lines,
    requestsOpen: counts.asked,
    requestsAnswered: counts.answered,
    isTouched: counts.entries > 0 || counts.lines > 0 || marks.size > 0,
    isClosed: counts.isClosed,
    isPaid: closing.isPaid,
    said: closing.said,
    note: closing.note,
    vat: chargesVat(company.kind) ? await vatFacts(ctx, to) : null,
    advance: await advanceFacts(ctx, to),
    withheld: withheld && {
      dueDay: dueOfPeriod('withholding', to).day,
      toPayAgorot: withheld.withheldAgorot,
    },
  }
}

/**
 * What the books say of a bank and the bank never did, after so many days, is no cheque on its way any more.
 */
const onTheWayDays = 30

/**
 * Bank accounts that do not agree with their books at the end of a month, beyond what the month's own lines
 * say: the bank's own lines do not add up to its balance, or something was booked long ago that never came to
 * the bank.
 */
async function unreconciledOf(ctx: Ctx, to: Day): Promise<string[]> {
  const { rows: accounts } = await sql<{
    id: string
  }>`select id from bank_accounts a where company_id = ${ctx.companyId} and archived_at is null
    and exists (select 1 from bank_lines l where l.company_id = a.company_id and l.bank_account_id = a.id
    and l.day <= ${to}) order by created_at, id`.execute(ctx.tx)
  const found: string[] = []
  for (const { id } of accounts) {
    const rows = await unless(
      () => bankReconciliation.rows(ctx, { bankAccount: id, day: to } as never, null),
      [],
    )
    if (
      rows.some(
        ({ part, day }) => part === 'gap' || (part === 'posting' && String(day) < addDays(to, -onTheWayDays)),
      )
    )
      found.push(id)
  }
  return found
}

const unreconciledPage = (id: string | undefined, to: Day): string =>
  `/invoice/bankreconciliation${id ? `?bankAccount=${id}&day=${to}` : ''}`

/** The VAT that is reported with this month: of two months in one, with the second. */
async function vatFacts(ctx: Ctx, to: Day): Promise<ClientFacts['vat']> {
  const period = (await vatPeriodsOf(ctx))(to)
  if (period.to !== to) return null
  const filing = await standingFiling(ctx, period)
  const toPayAgorot = await unless(async () => (await vatOfPeriod(ctx, period)).figures.toPay, 0)
  const duty = (await reportingDaysOf(ctx)).isDetailed ? ('detailedVat' as const) : ('vat' as const)
  return {
    ...period,
    dueDay: dueOfPeriod(duty, to).day,
    duty,
    toPayAgorot,
    isFiled: filing !== null,
    isSent: filing !== null && filing.sentDay !== null,
  }
}

async function advanceFacts(ctx: Ctx, to: Day): Promise<ClientFacts['advance']> {
  const period = (await vatPeriodsOf(ctx))(to)
  if (period.to !== to) return null
  const filed = await advanceFiled(ctx, period)
  const dueDay = dueOfPeriod('advances', to).day
  if (filed) return { dueDay, toPayAgorot: filed.toPayAgorot, isFiled: true }
  const last = await advanceOf(ctx, period)
  return last ? { dueDay, toPayAgorot: last.toPayAgorot, isFiled: false } : null
}

/**
 * Facts with the days of today's law: what was summed up a while ago does not know of a postponement since.
 * `to`: the last day of the month.
 */
export const withDays = (facts: BookFacts, to: Day, kind: BusinessKind): BookFacts => ({
  ...facts,
  lines: facts.lines.map((line) =>
    line.dueDay ? { ...line, dueDay: dayOfLine(line.line, to, kind) ?? line.dueDay } : line,
  ),
  vat: facts.vat && { ...facts.vat, dueDay: dueOfPeriod(facts.vat.duty ?? 'vat', to).day },
  advance: facts.advance && { ...facts.advance, dueDay: dueOfPeriod('advances', to).day },
  withheld: facts.withheld && { ...facts.withheld, dueDay: dueOfPeriod('withholding', to).day },
})

/** Of a duty of a year: of the year before its month, or of that year where it ends in December. */
function dayOfLine(line: string, to: Day, kind: BusinessKind): Day | undefined {
  if (!isYearDuty(line as Duty)) return undefined
  const year = yearOf(addMonths(startOfMonth(to), 1)) - 1
  return dueOfYear(line as YearDuty, year, kind === 'exemptDealer').day
}

interface AdvanceSums {
  turnoverAgorot: number
  rateBp: number
  withheldAgorot: number
  toPayAgorot: number
}

async function advanceFiled(ctx: Ctx, period: Period): Promise<{ toPayAgorot: number } | undefined> {
  const { rows } = await sql<{
    toPayAgorot: number
  }>`select to_pay_agorot as "toPayAgorot" from advance_filings where company_id = ${ctx.companyId}
      and period_from = ${period.from}`.execute(ctx.tx)
  return rows[0]
}

/** The advance of a period as it is worked out now; nothing where no rate was set. */
async function advanceOf(ctx: Ctx, period: Period): Promise<AdvanceSums | undefined> {
  const rows = await unless(() => advances.rows(ctx, period as never, null), [])
  const last = rows.at(-1) as Partial<AdvanceSums> | undefined
  if (!last?.rateBp) return undefined
  const { turnoverAgorot = 0, rateBp, withheldAgorot = 0, toPayAgorot = 0 } = last
  return { turnoverAgorot, rateBp, withheldAgorot, toPayAgorot }
}

/**
 * Writes down that the advance of the month's period was reported, as it is worked out today; undefined where
 * there is none to report, or it was already.
 */
export async function fileAdvance(ctx: Ctx, to: Day): Promise<number | undefined> {
  const period = (await vatPeriodsOf(ctx))(to)
  const sums = period.to === to ? await advanceOf(ctx, period) : undefined
  if (!sums) return undefined
  const { rows } =
    await sql`insert into advance_filings (company_id, period_from, period_to, turnover_agorot, rate_bp,
        withheld_agorot, to_pay_agorot, filed_by)
    values (${ctx.companyId}, ${period.from}, ${period.to}, ${sums.turnoverAgorot}, ${sums.rateBp},
      ${sums.withheldAgorot}, ${sums.toPayAgorot}, ${ctx.caller.userId})
    on conflict do nothing returning 1`.execute(ctx.tx)
  if (!rows.length) return undefined
  await ctx.audit('practice.fileAdvance', 'companies', ctx.companyId, undefined, {
    period: period.from.slice(0, 7),
    toPayAgorot: sums.toPayAgorot,
  })
  return sums.toPayAgorot
}

/** Books whose two ways disagree refuse to give a sum; the list says so already. */
async function unless<T>(ask: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    if (e instanceof Failure) return instead
    throw e
  }
}

export interface Mark {
  id: string
  line: string
  deed: 'signed' | 'reopened'
  reason: string
  count: number
  by: string
  at: string
}

export async function allMarks(ctx: Ctx, month: Day): Promise<Mark[]> {
  const { rows } = await sql<Mark>`select m.id, m.line, m.deed, m.reason, m.count, u.full_name as by, m.at
      from closing_marks m join users u on u.id = m.by_user
    where m.company_id = ${ctx.companyId} and m.month = ${month} order by m.at desc, m.id desc
    limit 200`.execute(ctx.tx)
  return rows
}

/** The state of each line: the last that was recorded. */
async function marksOf(ctx: Ctx, month: Day): Promise<Map<string, Mark>> {
  return new Map((await allMarks(ctx, month)).toReversed().map((mark) => [mark.line, mark]))
}

async function closingOf(
  ctx: Ctx,
  month: Day,
): Promise<{ said: ClientFacts['said']; note: string; isPaid: boolean }> {
  const { rows } = await sql<{
    said: ClientFacts['said']
    note: string
    isPaid: boolean
  }>`select said_state as said, note, paid_at is not null as "isPaid" from closings
    where company_id = ${ctx.companyId} and month = ${month}`.execute(ctx.tx)
  return rows[0] ?? { said: null, note: '', isPaid: false }
}

/**
 * Totals months of several clients, each separately. Answers those whose books could not be totalled: their earlier
 * totals stay.
 */
export async function summariseEach(
  app: App,
  clientIds: readonly string[],
  months: readonly Day[],
): Promise<string[]> {
  const failed: string[] = []
  for (const clientId of clientIds) {
    const one = await isolated(app, 'the month of a client', () => summarise(app, clientId, months), {
      company: clientId,
    }).catch((e: unknown) => {
      // A refusal of one client is no refusal of the list.
      if (!(e instanceof Failure)) throw e
      return { failed: true } as const
    })
    if (one.failed) failed.push(clientId)
  }
  return failed
}

/** A client's months as its books were at a moment, by the database's clock. */
export interface ReadFacts {
  readAt: string
  months: { month: Day; facts: BookFacts }[]
}

/** Reads a client's months inside the client. `readAt` is taken first: everything committed by then is read. */
export const readFacts = (app: App, clientId: string, months: readonly Day[]): Promise<ReadFacts> =>
  asCaller(app, systemCaller(clientId), '', async (ctx) => {
    const { readAt } = await one<{ readAt: string }>(ctx, sql`select clock_timestamp()::text as "readAt"`)
    const read: ReadFacts = { readAt, months: [] }
    for (const month of months) read.months.push({ month, facts: await factsOf(ctx, month) })
    return read
  })

/**
 * Stores what was read for every office that works for the client. Two readings may finish in either order, so
 * a reading that began earlier never replaces one that began later.
 */
export async function keepFacts(app: App, clientId: string, { readAt, months }: ReadFacts): Promise<void> {
  for (const { month, facts } of months)
    // Only engagements that are active now: one that ended meanwhile gets nothing.
    await sql`insert into duty_summaries as kept (company_id, client_id, month, facts, made_at)
      select e.company_id, e.client_id, ${month}, ${JSON.stringify(facts)}, ${readAt}::timestamptz
      from engagements e where e.client_id = ${clientId} and e.state = 'active' for update of e
      on conflict (company_id, client_id, month) do update
      set facts = excluded.facts, made_at = excluded.made_at where kept.made_at <= excluded.made_at`.execute(
      app.db.kysely,
    )
  // What happened after the reading began is looked at again by the sweep.
  await sql`update engagements set summed_at = greatest(summed_at, ${readAt}::timestamptz)
    where client_id = ${clientId} and state = 'active'`.execute(app.db.kysely)
}

/** Works out a client's months and stores them for its offices. */
export async function summarise(app: App, clientId: string, months: readonly Day[]): Promise<void> {
  await keepFacts(app, clientId, await readFacts(app, clientId, months))
}
