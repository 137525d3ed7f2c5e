import { sql } from 'kysely'
import { addDays, addMonths, endOfMonth, startOfMonth, type Day, type Period } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { chargesVat, type PaperLabel } from '#domain/documents/kinds.ts'
import { formatPeriod } from '#domain/format.ts'
import {
  forecastDays,
  lessCredits,
  monthlyDuty,
  onDay,
  type AdvancePeriod,
  type CashFacts,
  type Debt,
  type ExpectedBill,
  type Movement,
  type UsualSales,
  type VatPeriod,
} from '#domain/forecast/cash.ts'
import { median, type Habit } from '#domain/forecast/habit.ts'
import {
  comingBills,
  nextByCycle,
  plannedDays,
  recognise,
  type PastBill,
  type Series,
} from '#domain/forecast/recurring.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { sum, timesFraction } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  asks,
  isIncome,
  isIssued,
  isLive,
  isNotCancelled,
  isNotCredit,
  isReceipt,
  signed,
} from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { comingIncome } from '#features/money/standingOrders/server/index.ts'
import {
  advanceRateOn,
  companyOf,
  reportingDaysOf,
  vatPeriodsOf,
} from '#features/base/companies/server/index.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { openingNumber, paperLabel, typeOfPaper } from '#features/sales/documents/server/index.ts'
import { chequesInHand } from '#features/sales/payments/server/index.ts'
import { vatToCome } from '#features/tax/vat/server/index.ts'
import { sumsOf } from './sums.ts'

/** The facts of the cash forecast, read from the books and the documents. */
export interface Known {
  facts: CashFacts
  accounts: { name: string; agorot: number; open: string }[]
  series: (Series & { who: string; what: string; nextDay: Day | null; isLeftOut: boolean; open: string })[]
}

export async function knownOf(ctx: Ctx): Promise<Known> {
  const last = addDays(ctx.today, forecastDays)
  const [money, debts, habits, cheques, bills, sales, series, expected, typed, vat, advances] =
    await Promise.all([
      moneyOf(ctx, last),
      debtsOf(ctx),
      habitsOf(ctx),
      chequesOf(ctx, last),
      billsDue(ctx, last),
      usualSales(ctx),
      seriesOf(ctx, last),
      awaitedBills(ctx, last),
      sumsOf(ctx),
      vatOf(ctx, last),
      advancesOf(ctx, last),
    ])
  const orders = await ordersOf(ctx, last, habits.fromSale)
  const planned = typed.flatMap(({ name, agorot, ...sum }) =>
    plannedDays(sum, addDays(ctx.today, 1), last).map((day): Movement => ({
      day,
      agorot,
      kind: 'typed',
      who: name,
      what: '',
      open: null,
    })),
  )
  return {
    facts: {
      today: ctx.today,
      openingAgorot: sum(money.accounts.map(({ agorot }) => agorot)),
      debts,
      habits: habits.own,
      habitOfAll: habits.all,
      sales: sales && { ...sales, delayDays: habits.fromSale },
      bills: [
        ...series.filter(({ isLeftOut }) => !isLeftOut).map(({ bill }) => bill),
        ...expected,
        ...orders,
      ],
      vat: vat.periods,
      advances,
      known: [...money.known, ...cheques, ...bills, ...vat.known, ...planned],
    },
    accounts: money.accounts,
    series: series.map(({ bill: _, ...one }) => one),
  }
}

const card = (id: string, from: Day, to: Day): string => `/invoice/cardskarteset/${id}?from=${from}&to=${to}`

/** The next tenth of a month: when cards are settled, those of customers and one's own. */
const nextTenth = (today: Day): Day => {
  const tenth = addDays(startOfMonth(today), 9)
  return tenth > today ? tenth : addMonths(tenth, 1)
}

/**
 * What lies in bank and till today, what the books carry for a day to come, and what is owed to authorities
 * and workers by the balance of its account.
 */
async function moneyOf(ctx: Ctx, last: Day): Promise<{ accounts: Known['accounts']; known: Movement[] }> {
  const { today } = ctx
  const month = startOfMonth(today)
  const { rows } = await sql<{
    id: string
    number: string
    key: string | null
    name: string
    agorot: number
    credited: number
    isMoney: boolean
  }>`select * from (select a.id, a.number, a.key, a.name,
      (coalesce(sum(m.debit_agorot - m.credit_agorot), 0) -
      coalesce((select sum(p.amount_agorot) from postings p
        where p.company_id = a.company_id and p.account_id = a.id and p.day > ${today}
          and p.day <= ${endOfMonth(today)}), 0))::bigint as agorot,
      coalesce(sum(m.credit_agorot) filter (where m.month = ${month}), 0)::bigint as credited,
      (a.number in (${systemAccounts.cash}, ${systemAccounts.bank}, '1015')
        or exists (select 1 from bank_accounts b where b.company_id = a.company_id and b.account_id = a.id
        and b.archived_at is null)) as "isMoney"
    from accounts a left join account_months m on m.company_id = a.company_id and m.account_id = a.id
      and m.month <= ${month}
    where a.company_id = ${ctx.companyId} and a.kind in ('asset', 'liability')
    group by a.company_id, a.id, a.number, a.key, a.name) x
    where "isMoney" or number in (${systemAccounts.cardClearing}, ${systemAccounts.withheldFromSuppliers},
      '2010', '2400', '2410') or key = 'cardsPayable'
    order by number`.execute(ctx.tx)
  const { rows: ahead } = await sql<{
    id: string
    day: Day
    account: string
    isMoney: boolean
    agorot: number
    details: string
    reference: string
  }>`
    select e.id, p.day, p.account_id as account, sum(p.amount_agorot)::bigint as agorot, e.details,
      e.reference
    from postings p join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where p.company_id = ${ctx.companyId}
      and p.account_id =
      any(${rows.filter((one) => one.isMoney || one.number === '2010').map(({ id }) => id)}::uuid[])
      and p.day > ${today} and p.day <= ${last} group by e.id, p.day, p.account_id, e.details, e.reference
      order by p.day, e.id`.execute(ctx.tx)
  const money = rows.filter(({ isMoney }) => isMoney)
  const moneyIds = new Set(money.map(({ id }) => id))
  const from = startOfMonth(addMonths(today, -1))
  const known: Movement[] = ahead.map(({ id, day, account, agorot, details, reference }) => ({
    day,
    agorot,
    kind: moneyIds.has(account) ? 'booked' : 'chequeGiven',
    who: details,
    what: reference,
    open: `/invoice/entries/${id}`,
  }))
  const of = (wanted: string) => rows.find(({ number, key }) => number === wanted || key === wanted)
  const standing = (
    wanted: string,
    kind: Movement['kind'],
    days: (owed: number, credited: number) => { day: Day; agorot: number }[],
  ) => {
    const account = of(wanted)
    if (!account) return
    for (const { day, agorot } of days(-account.agorot, account.credited))
      known.push({
        day,
        agorot: -agorot,
        kind,
        who: account.name,
        what: '',
        open: card(account.id, from, endOfMonth(today)),
      })
  }
  const once = (day: Day) => (owed: number) => (owed > 0 ? [{ day, agorot: owed }] : [])
  standing('2010', 'chequeGiven', once(addDays(today, 1)))
  standing('cardsPayable', 'cards', once(nextTenth(today)))
  standing(systemAccounts.withheldFromSuppliers, 'withheld', (owed, credited) =>
    monthlyDuty(owed, credited, today, (month) => dueOfPeriod('withholding', month).day),
  )
  standing('2410', 'payroll', (owed, credited) => monthlyDuty(owed, credited, today, onDay(15)))
  standing('2400', 'wages', (owed, credited) => monthlyDuty(owed, credited, today, onDay(9)))
  const clearing = of(systemAccounts.cardClearing)
  if (clearing && clearing.agorot > 0)
    known.push({
      day: nextTenth(today),
      agorot: clearing.agorot,
      kind: 'clearing',
      who: clearing.name,
      what: '',
      open: card(clearing.id, from, endOfMonth(today)),
    })
  return {
    accounts: money
      .filter(({ agorot, number }) => agorot !== 0 || number === systemAccounts.bank)
      .map(({ id, name, agorot }) => ({ name, agorot, open: card(id, from, endOfMonth(today)) })),
    known,
  }
}

/**
 * What customers owe and were asked for, document by document; money that waits for a debt is deducted from the
 * customer's oldest.
 */
async function debtsOf(ctx: Ctx): Promise<Debt[]> {
  const { rows } = await sql<{
    id: string
    type: number
    number: string | null
    opening: string | null
    customerId: string
    customer: string
    label: PaperLabel | null
    agorot: number
    due: Day
    debitOn: Day | null
    byMandate: boolean
  }>`select d.id, d.type, d.number::text as number, ${paperLabel('d')} as label,
      ${openingNumber('d')} as opening, coalesce(i.merged_into, i.id, d.id) as "customerId",
      coalesce(p.name, d.customer ->> 'name', '') as customer,
      (case when d.open_agorot <> 0 then d.open_agorot else round(d.asked_agorot * d.rate) end)::bigint as
      agorot, coalesce(d.due_day, d.day) as due,
      (select max(r.pay_day) from masav_lines l join masav_runs r on r.company_id = l.company_id
      and r.id = l.run_id
        where l.company_id = d.company_id and l.document_id = d.id and l.receipt_id is null
          and l.returned_on is null and l.undone_at is null
          and r.undone_at is null and r.collected_at is null) as "debitOn",
      exists (select 1 from debit_mandates m where m.company_id = d.company_id and m.party_id = p.id
      and m.ended_at is null) as "byMandate"
    from documents d left join parties i on i.company_id = d.company_id and i.id = d.customer_id
      left join parties p on p.company_id = i.company_id and p.id = coalesce(i.merged_into, i.id)
    where d.company_id = ${ctx.companyId} and ${isLive('d')}
      and (d.open_agorot <> 0 or ${asks('d')} and d.asked_agorot > 0)
    order by due, d.day, d.number`.execute(ctx.tx)
  return lessCredits(
    rows.map(({ id, type, number, label, opening, ...debt }) => ({
      ...debt,
      kind: typeFacts(type).asks ? ('asked' as const) : ('debt' as const),
      what:
        opening === null
          ? `${typeOfPaper(ctx.caller.language, type, label)} ${number ?? ''}`.trim()
          : say(ctx.caller.language, 'documents.openingItem', { number: opening }),
      open: `/invoice/preview/${id}`,
    })),
  )
}

/**
 * How late papers of the last twelve months were paid, by customer and by all: from their due day to the day
 * of the money, which of a cheque is its own. `fromSale` counts from the paper's day.
 */
async function habitsOf(
  ctx: Ctx,
): Promise<{ own: Map<string, Habit>; all: Habit | undefined; fromSale: number }> {
  const { rows } = await sql<{ customerId: string | null; late: number; sale: number; papers: number }>`
    with settled as (select coalesce(i.merged_into, i.id) as customer, max(greatest(s.day, t.due_day)) as
      paid, coalesce(d.due_day, d.day) as due, d.day
      from settlements s join documents d on d.company_id = s.company_id and d.id = s.to_id
        join documents f on f.company_id = s.company_id and f.id = s.from_id and ${isNotCredit('f')}
        left join document_payments t on t.company_id = f.company_id and t.document_id = f.id and t.means = 2
        left join parties i on i.company_id = d.company_id and i.id = d.customer_id
      where s.company_id = ${ctx.companyId} and s.day > ${addMonths(ctx.today, -12)} and s.reverses_id is null
        and not exists (select 1 from settlements b where b.company_id = s.company_id
        and b.reverses_id = s.id)
        and d.open_agorot = 0 and ${isNotCancelled('d')} and d.series not like '%#opening'
      group by d.id, d.day, d.due_day, i.merged_into, i.id)
    select customer as "customerId", (percentile_disc(0.5) within group (order by paid - due))::int as late,
      (percentile_disc(0.5) within group (order by paid - day))::int as sale, count(*)::int as papers
    from settled group by grouping sets ((customer), ())`.execute(ctx.tx)
  // The line of all has no customer, as papers without one do not; it is the last and the largest.
  const none = rows.filter(({ customerId }) => customerId === null)
  const all = none.reduce<(typeof none)[number] | undefined>(
    (most, one) => (!most || one.papers >= most.papers ? one : most),
    undefined,
  )
  return {
    own: new Map(
      rows.flatMap(({ customerId, late, papers }) =>
        customerId ? [[customerId, { lateDays: late, papers }]] : [],
      ),
    ),
    all: all && all.papers > 0 ? { lateDays: all.late, papers: all.papers } : undefined,
    fromSale: Math.max(0, all?.sale ?? 0),
  }
}

async function chequesOf(ctx: Ctx, last: Day): Promise<Movement[]> {
  const { rows } = await sql<{ day: Day; agorot: number; who: string; what: string; open: string }>`
    select t.due_day as day, t.ils_agorot as agorot, coalesce(d.customer ->> 'name', '') as who,
      t.number as what, '/invoice/preview/' || d.id as open
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and ${chequesInHand} and t.due_day <= ${last}
    order by t.due_day, t.id`.execute(ctx.tx)
  return rows.map((one) => ({ ...one, kind: 'cheque' }))
}

/**
 * What standing orders charge or bill automatically: bills the other way round. What is billed is paid after as long
 * as sales usually are.
 */
async function ordersOf(ctx: Ctx, last: Day, fromSale: number): Promise<ExpectedBill[]> {
  return (await comingIncome(ctx, last)).map(
    ({ day, agorot, vatAgorot, customer, title, orderId, isAtOnce }) => ({
      kind: 'order',
      who: customer,
      what: title,
      open: `/invoice/retainers/${orderId}`,
      agorot: -agorot,
      vatAgorot: -vatAgorot,
      days: [{ billed: day, paid: isAtOnce ? day : addDays(day, fromSale) }],
    }),
  )
}

/** Suppliers' bills on the day they are due; a supplier's credit on its own. */
async function billsDue(ctx: Ctx, last: Day): Promise<Movement[]> {
  const { rows } = await sql<{ day: Day; agorot: number; who: string; what: string; open: string }>`
    select coalesce(e.due_day, e.day) as day, -e.open_agorot as agorot, coalesce(p.name, '') as who,
      e.supplier_number as what,
      '/invoice/Expenses/all/' || e.id as open
    from expenses e left join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where e.company_id = ${ctx.companyId} and e.open_agorot <> 0 and coalesce(e.due_day, e.day) <= ${last}
    order by 1, e.id`.execute(ctx.tx)
  return rows.map((one) => ({ ...one, kind: 'bill' }))
}

/** How many whole months are looked back on. */
const usualMonths = 6

/**
 * What a usual month sells besides standing orders, which are known one by one: the middle one of the last
 * six whole months, or of as many as there are, two at least.
 */
async function usualSales(ctx: Ctx): Promise<Omit<UsualSales, 'delayDays'> | undefined> {
  const month = startOfMonth(ctx.today)
  const { rows } = await sql<{ month: Day; agorot: number; vat: number; atOnce: number }>`
    select date_trunc('month', d.day)::date as month,
      sum(${signed('d', 'ils_total_agorot')})::bigint as agorot,
      sum(${signed('d', 'ils_vat_agorot')})::bigint as vat,
      coalesce(sum(d.ils_total_agorot) filter (where ${isReceipt('d')}), 0)::bigint as "atOnce"
    from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isIncome('d')}
      and not exists (select 1 from standing_periods o where o.company_id = d.company_id
      and o.document_id = d.id)
      and d.day >= ${addMonths(month, -usualMonths)} and d.day < ${month} group by 1 order by 1`.execute(
    ctx.tx,
  )
  const { rows: first } = await sql<{ day: Day | null }>`select min(d.day) as day from documents d
    where d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isIncome('d')}`.execute(ctx.tx)
  const began = first[0]!.day
  if (!began || rows.length === 0) return undefined
  const months = Array.from({ length: usualMonths }, (_, i) => addMonths(month, -1 - i)).filter(
    (one) => endOfMonth(one) >= began,
  )
  if (months.length < 2) return undefined
  const sums = new Map(rows.map((one) => [one.month, one.agorot]))
  const monthlyAgorot = median(months.map((one) => sums.get(one) ?? 0))!
  const whole = sum(rows.map(({ agorot }) => agorot))
  if (monthlyAgorot <= 0 || whole <= 0) return undefined
  const share = (part: number) =>
    Math.min(10_000, Math.max(0, timesFraction(10_000, part, whole, 'halfAwayFromZero')))
  return {
    monthlyAgorot,
    vatBp: share(sum(rows.map(({ vat }) => vat))),
    atOnceBp: share(sum(rows.map(({ atOnce }) => atOnce))),
  }
}

/** Bills that come back, as the last thirteen months tell, but for what is awaited by contract anyway. */
async function seriesOf(ctx: Ctx, last: Day): Promise<(Known['series'][number] & { bill: ExpectedBill })[]> {
  const { rows } = await sql<PastBill & { who: string; what: string }>`
    select e.supplier_id as "supplierId", e.type_id as "typeId", e.day, e.ils_total_agorot as agorot,
      e.recognised_vat_agorot as "vatAgorot",
      case when e.open_agorot = 0 then (select max(x.day) - e.day from expense_payments x
        where x.company_id = e.company_id and x.expense_id = e.id and x.cancelled_at is null) end as
          "paidAfter",
      p.name as who, ${expenseTypeName(ctx.caller.language)} as what
    from expenses e join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      join expense_types t on t.company_id = e.company_id and t.id = e.type_id
    where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.source <> 'opening'
      and e.day > ${addMonths(ctx.today, -13)} and e.recurring_id is null
      and not exists (select 1 from recurring_expenses r where r.company_id = e.company_id
      and r.supplier_id = e.supplier_id and r.type_id = e.type_id
        and r.archived_at is null)`.execute(ctx.tx)
  const { rows: out } = await sql<{
    series: string
  }>`select series from forecast_left_out where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const leftOut = new Set(out.map(({ series }) => series))
  const names = new Map(
    rows.map(({ supplierId, typeId, who, what }) => [`${supplierId}:${typeId}`, { who, what }]),
  )
  return recognise(rows, ctx.today).map((series) => {
    const { who, what } = names.get(`${series.supplierId}:${series.typeId}`)!
    const open = `/invoice/reportexpenses?supplier=${series.supplierId}&from=${addMonths(ctx.today, -13)}&to=${ctx.today}`
    const after = Math.max(0, series.paidAfter ?? 0)
    const billed = comingBills(series, ctx.today, last)
    const { agorot, vatAgorot } = series
    return {
      ...series,
      who,
      what,
      open,
      nextDay: billed[0] ?? null,
      isLeftOut: leftOut.has(series.key),
      bill: {
        kind: 'recurring',
        who,
        what,
        open,
        agorot,
        vatAgorot,
        days: billed.map((day) => ({ billed: day, paid: addDays(day, after) })),
      },
    }
  })
}

/** A bill on credit of which none was paid yet is paid about so many days later. */
const creditDays = 30

/** Bills that are awaited by contract. */
async function awaitedBills(ctx: Ctx, last: Day): Promise<ExpectedBill[]> {
  const { rows } = await sql<{
    id: string
    name: string
    supplierId: string
    who: string
    agorot: number
    means: string
    cycle: string
    awaited: Day
    lastDay: Day | null
    vatAgorot: number | null
    after: number | null
  }>`select r.id, r.name, r.supplier_id as "supplierId", p.name as who, r.total_agorot as agorot, r.means,
      r.cycle, awaited_day(r) as awaited, r.last_day as "lastDay",
      (select round(r.total_agorot::numeric * e.recognised_vat_agorot / nullif(e.ils_total_agorot, 0))::bigint
      from expenses e where e.company_id = r.company_id
        and e.recurring_id = r.id and e.state = 'approved' order by e.day desc limit 1) as "vatAgorot",
      (select (percentile_disc(0.5) within group (order by x.day - e.day))::int from expenses e
      join expense_payments x on x.company_id = e.company_id and x.expense_id = e.id
        and x.cancelled_at is null where e.company_id = r.company_id and e.recurring_id = r.id
        and e.state = 'approved' and e.open_agorot = 0) as after
    from recurring_expenses r join parties p on p.company_id = r.company_id and p.id = r.supplier_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null and awaited_day(r) is not null
    order by r.id`.execute(ctx.tx)
  return rows.map(({ name, supplierId, who, agorot, means, cycle, awaited, lastDay, vatAgorot, after }) => {
    const end = lastDay !== null && lastDay < last ? lastDay : last
    const later = Math.max(0, after ?? (means === 'onCredit' ? creditDays : 0))
    return {
      kind: 'expected',
      who,
      what: name === who ? '' : name,
      open: `/invoice/reportexpenses?supplier=${supplierId}&from=${addMonths(ctx.today, -13)}&to=${ctx.today}`,
      agorot,
      vatAgorot: vatAgorot ?? 0,
      days: nextByCycle(cycle, awaited, ctx.today, end).map((day) => ({
        billed: day,
        paid: addDays(day, later),
      })),
    }
  })
}

/** By when a period is paid. */
type PayDayOf = (period: Period) => Day

/** The periods whose day of payment comes within the line, the running one first, and the one before it. */
async function periodsAhead(
  ctx: Ctx,
  payDayOf: PayDayOf,
  last: Day,
): Promise<{ before: Period; ahead: Period[] }> {
  const periodOn = await vatPeriodsOf(ctx)
  const running = periodOn(ctx.today)
  const ahead: Period[] = []
  for (let period = running; payDayOf(period) <= last; period = periodOn(addDays(period.to, 1)))
    ahead.push(period)
  return { before: periodOn(addDays(running.from, -1)), ahead }
}

/**
 * VAT: what was settled and is not paid, what the last period left, the running period so far, and periods to
 * come that are paid within the line.
 */
async function vatOf(ctx: Ctx, last: Day): Promise<{ periods: VatPeriod[]; known: Movement[] }> {
  if (!chargesVat((await companyOf(ctx)).kind)) return { periods: [], known: [] }
  const { vat } = await reportingDaysOf(ctx)
  const payDayOf: PayDayOf = ({ to }) => vat(to)
  const { before, ahead } = await periodsAhead(ctx, payDayOf, last)
  const said = ({ from, to }: Period) => ({
    what: formatPeriod({ from, to }),
    open: `/invoice/reportvat?from=${from}&to=${to}`,
  })
  const { rows } = await sql<{ account: { id: string; name: string } | null; settled: number }>`
    select (select jsonb_build_object('id', v.id, 'name', v.name) from accounts v
    where v.company_id = ${ctx.companyId} and v.number = ${systemAccounts.vatSettlement}) as account,
      coalesce(sum(m.credit_agorot - m.debit_agorot), 0)::bigint as settled
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and a.number = ${systemAccounts.vatSettlement}`.execute(ctx.tx)
  const { account, settled } = rows[0]!
  const { lastAgorot: ofBefore, runningAgorot: soFar } = await vatToCome(ctx)
  const periods: VatPeriod[] = [
    { ...before, payDay: payDayOf(before), soFarAgorot: ofBefore, ...said(before) },
  ]
  ahead.forEach((period, i) =>
    periods.push({ ...period, payDay: payDayOf(period), soFarAgorot: i === 0 ? soFar : 0, ...said(period) }),
  )
  const known: Movement[] =
    settled > 0 && account
      ? [
          {
            day: payDayOf(before),
            agorot: -settled,
            kind: 'vat',
            who: account.name,
            what: '',
            open: card(account.id, startOfMonth(addMonths(ctx.today, -11)), endOfMonth(ctx.today)),
          },
        ]
      : []
  return { periods, known }
}

/** Advances of income tax: turnover and what customers withheld, as far as the books know them. */
async function advancesOf(ctx: Ctx, last: Day): Promise<AdvancePeriod[]> {
  const rateOn = await advanceRateOn(ctx)
  const { advances } = await reportingDaysOf(ctx)
  const payDayOf: PayDayOf = ({ to }) => advances(to)
  const { before, ahead } = await periodsAhead(ctx, payDayOf, last)
  // What should have been paid long ago was, or is a debt nobody can tell from here.
  const periods = [...(payDayOf(before) > ctx.today ? [before] : []), ...ahead].filter(
    ({ to }) => rateOn(to) > 0,
  )
  if (periods.length === 0) return []
  const { rows } = await sql<{ month: Day; isTurnover: boolean; agorot: number }>`
    select m.month, a.kind = 'income' as "isTurnover", sum(m.credit_agorot - m.debit_agorot)::bigint as agorot
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${periods[0]!.from} and ${periods.at(-1)!.to}
      and (a.kind = 'income' and not a.outside_turnover or a.number = ${systemAccounts.withheldByCustomers})
      group by 1, 2`.execute(ctx.tx)
  return periods.map((period) => {
    const inside = rows.filter(({ month }) => month >= period.from && month <= period.to)
    return {
      ...period,
      payDay: payDayOf(period),
      rateBp: rateOn(period.to),
      turnoverAgorot: sum(inside.filter(({ isTurnover }) => isTurnover).map(({ agorot }) => agorot)),
      withheldAgorot: Math.max(
        0,
        -sum(inside.filter(({ isTurnover }) => !isTurnover).map(({ agorot }) => agorot)),
      ),
      what: formatPeriod(period),
      open: `/invoice/reportadvance?from=${period.from}&to=${period.to}`,
    }
  })
}
