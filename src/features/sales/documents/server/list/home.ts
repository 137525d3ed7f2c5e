import { sql } from 'kysely'
import { addDays, addMonths, startOfMonth } from '#domain/day.ts'
import { chargesVat, type PaperLabel } from '#domain/documents/kinds.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import { forbidden } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDraft, isIncome, isIssued, signed, signedIncome } from '#kit/server/data/documentFacts.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { onlyAllowed } from './list.ts'
import { owedNow } from './owed.ts'
import { paperLabel } from '../content/opening.ts'
import { vatDue } from '../content/prepare.ts'

/**
 * What the home page shows, from the books and the open items; each figure opens the report it is taken from.
 */
export async function home(ctx: Ctx) {
  if (!can(ctx.caller, 'documents.see')) throw forbidden({ rule: 'documents.see' })
  const company = await companyOf(ctx)
  const { today } = ctx
  const first = startOfMonth(addMonths(today, -11))
  const whole = seesWhole(ctx.caller)
  const months = whole ? await fromBooks(ctx, first, today) : await fromDocuments(ctx, first, today)
  const byMonth = new Map(months.map((m) => [m.month, m]))
  const shown = Array.from({ length: 12 }, (_, i) => addMonths(first, i))
  const incomeOf = (month: string) => byMonth.get(month)?.income ?? 0
  const year = months
    .filter(({ month }) => month.slice(0, 4) === today.slice(0, 4))
    .reduce((sum, { income }) => sum + income, 0)
  const { rows: debts } = await sql<{
    open: number
    late: number
    n: number
    customers: number
    d0: number
    d30: number
    d60: number
    d90: number
    more: number
  }>`
    with owed as (
      select w.owed, d.due_day, w.customer_id from ${owedNow(ctx)} w
        join documents d on d.company_id = ${ctx.companyId} and d.id = w.id and d.open_agorot > 0
      where d.due_day < ${today}${onlyAllowed(ctx, 'd.type')}),
    net as (select coalesce(sum(open_agorot), 0)::bigint as open from documents
      where company_id = ${ctx.companyId} and open_agorot <> 0${onlyAllowed(ctx, 'type')})
    select net.open, coalesce(sum(owed), 0)::bigint as late, count(*) filter (where owed > 0)::int as n,
      count(distinct customer_id) filter (where owed > 0)::int as customers,
      net.open - coalesce(sum(owed), 0)::bigint as d0,
      coalesce(sum(owed) filter (where due_day >= ${addDays(today, -30)}), 0)::bigint as d30,
      coalesce(sum(owed) filter
      (where due_day < ${addDays(today, -30)} and due_day >= ${addDays(today, -60)}),
      0)::bigint as d60,
      coalesce(sum(owed) filter
      (where due_day < ${addDays(today, -60)} and due_day >= ${addDays(today, -90)}),
      0)::bigint as d90,
      coalesce(sum(owed) filter (where due_day < ${addDays(today, -90)}), 0)::bigint as more
    from net left join owed on true group by net.open`.execute(ctx.tx)
  const { rows: counts } = await sql<{
    drafts: number
    waiting: number
  }>`select (select count(*) from documents where company_id = ${ctx.companyId}
      and ${isDraft()}${onlyAllowed(ctx, 'type')})::int as drafts,
    (select count(*) from documents where company_id = ${ctx.companyId}
    and allocation_state in ('waiting', 'away')${onlyAllowed(ctx, 'type')})::int as waiting`.execute(ctx.tx)
  const { rows: last } = await sql<{
    id: string
    type: number
    number: number | null
    label: PaperLabel | null
    customer: string
    totalAgorot: number
    currency: string
    day: string
    issuedAt: string | null
    status: string
    openAgorot: number
    dueDay: string | null
  }>`
    select id, type, number, ${paperLabel('documents')} as label, coalesce(customer->>'name', '') as customer,
      ${signed('', 'total_agorot')} as "totalAgorot", currency, day,
      issued_at as "issuedAt", status, open_agorot as "openAgorot", due_day as "dueDay"
    from documents where company_id = ${ctx.companyId} and ${isIssued()}
      and series not like '%#opening'${onlyAllowed(ctx, 'type')} order by day desc, id desc limit 5`.execute(
    ctx.tx,
  )
  // What is due to the authority comes of all the books: no part of it would be true.
  const period = whole && chargesVat(company.kind) ? await vatDue(ctx, today) : null
  const d = debts[0]!
  return {
    today,
    incomeMonthAgorot: incomeOf(startOfMonth(today)),
    incomeLastMonthAgorot: incomeOf(startOfMonth(addMonths(today, -1))),
    incomeYearAgorot: year,
    openAgorot: d.open,
    lateAgorot: d.late,
    lateCount: d.n,
    lateCustomers: d.customers,
    vat: period,
    drafts: counts[0]!.drafts,
    waitingAllocation: counts[0]!.waiting,
    ages: [
      { age: 'notDue' as const, amountAgorot: d.d0 },
      { age: 'd30' as const, amountAgorot: d.d30 },
      { age: 'd60' as const, amountAgorot: d.d60 },
      { age: 'd90' as const, amountAgorot: d.d90 },
      { age: 'more' as const, amountAgorot: d.more },
    ],
    months: shown.map((month) => ({
      month,
      incomeAgorot: incomeOf(month),
      expensesAgorot: byMonth.get(month)?.expenses ?? 0,
    })),
    last,
  }
}

interface Month {
  month: string
  income: number
  expenses: number
}

async function fromBooks(ctx: Ctx, first: string, today: string): Promise<Month[]> {
  const { rows } = await sql<Month>`
    select m.month, coalesce(sum(case when a.kind = 'income' then m.credit_agorot - m.debit_agorot end),
      0)::bigint as income,
      coalesce(sum(case when a.kind = 'expense' then m.debit_agorot - m.credit_agorot end), 0)::bigint as
      expenses
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${first} and ${startOfMonth(today)}
      and a.kind in ('income', 'expense') and a.number not in ('8900')
    group by m.month`.execute(ctx.tx)
  return rows
}

/** For people who see a part of the business: the income of the documents they may see, and nobody's expenses. */
async function fromDocuments(ctx: Ctx, first: string, today: string): Promise<Month[]> {
  const { rows } = await sql<Month>`
    select date_trunc('month', day)::date as month,
      coalesce(sum(${signedIncome()}), 0)::bigint as income,
      0 as expenses
    from documents where company_id = ${ctx.companyId} and ${isIssued()} and ${isIncome()}
      and day between ${first} and ${today}${onlyAllowed(ctx, 'type')}
    group by 1`.execute(ctx.tx)
  return rows
}
