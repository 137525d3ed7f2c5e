import { sql, type RawBuilder } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { partiesNet } from '#features/base/ledger/server/index.ts'

/**
 * What is owed to each supplier by how late it is, today or on a past day, from the open bills; beside it the
 * supplier's balance in the books on that day.
 */
export const supplierBalances = defineReport({
  name: 'supplierBalances',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/reportsupplierbalances',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { day: day() },
  columns: {
    supplier: text(),
    notDueAgorot: money(),
    d30Agorot: money(),
    d60Agorot: money(),
    d90Agorot: money(),
    moreAgorot: money(),
    openAgorot: money(),
    cardAgorot: money(),
  },
  totals: ['notDueAgorot', 'd30Agorot', 'd60Agorot', 'd90Agorot', 'moreAgorot', 'openAgorot', 'cardAgorot'],
  rows: async (ctx, { day: asked }) => {
    const on = dayOf(ctx, asked)
    const late = (from: number, to?: number) =>
      sql`b.due_day <
          ${addDays(on, -from)}${to === undefined ? sql`` : sql` and b.due_day >= ${addDays(on, -to)}`}`
    const { rows } = await sql<ReportRow>`
      with owed as (select coalesce(s.merged_into, s.id) as supplier_id,
        sum(b.open) filter (where b.due_day >= ${on} or b.due_day is null) as not_due,
          sum(b.open) filter (where ${late(0, 30)}) as d30, sum(b.open) filter (where ${late(30, 60)}) as d60,
          sum(b.open) filter (where ${late(60, 90)}) as d90, sum(b.open) filter (where ${late(90)}) as more,
          sum(b.open) as open
        from (${openBillsOn(ctx, on)}) b join parties s on s.company_id = ${ctx.companyId}
          and s.id = b.supplier_id
        where b.open <> 0 group by 1),
      cards as (select coalesce(p.merged_into, p.id) as party_id, sum(m.net) as card
        from (${cardsOn(ctx, on)}) m join parties p on p.company_id = ${ctx.companyId} and p.id = m.party_id
        where p.role = 'supplier' group by 1)
      select p.name as supplier, coalesce(o.not_due, 0)::bigint as "notDueAgorot",
        coalesce(o.d30, 0)::bigint as "d30Agorot", coalesce(o.d60, 0)::bigint as "d60Agorot",
        coalesce(o.d90, 0)::bigint as "d90Agorot", coalesce(o.more, 0)::bigint as "moreAgorot",
        coalesce(o.open, 0)::bigint as "openAgorot", coalesce(c.card, 0)::bigint as "cardAgorot",
        '/invoice/reportprovidercard?party=' || p.id as open
      from parties p left join owed o on o.supplier_id = p.id left join cards c on c.party_id = p.id
      where p.company_id = ${ctx.companyId} and p.role = 'supplier' and (o.open <> 0 or c.card <> 0)
      order by coalesce(c.card, 0) desc, p.name`.execute(ctx.tx)
    return rows
  },
  must: {
    agesSum: (t) =>
      t.openAgorot === t.notDueAgorot! + t.d30Agorot! + t.d60Agorot! + t.d90Agorot! + t.moreAgorot!,
  },
  apart: {
    asInBooks: async (ctx, { day: asked }) => {
      if (!seesWhole(ctx.caller)) return 0
      const on = dayOf(ctx, asked)
      const { rows } = await sql<{ open: number }>`select coalesce(sum(b.open), 0)::bigint as open
        from (${openBillsOn(ctx, on)}) b`.execute(ctx.tx)
      const suppliers = sql`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'`
      return rows[0]!.open + (await partiesNet(ctx, suppliers, on))
    },
  },
})

const dayOf = (ctx: Ctx, asked: Day | null | undefined): Day =>
  asked && asked < ctx.today ? asked : ctx.today

/** What the cards of parties stand at at the end of a day: positive where the business owes. */
const cardsOn = (ctx: Ctx, on: Day): RawBuilder<unknown> => sql`
  select m.party_id, m.credit_agorot - m.debit_agorot as net from party_months m
    where m.company_id = ${ctx.companyId}
  union all select x.party_id, x.amount_agorot from postings x
    where x.company_id = ${ctx.companyId} and x.party_id is not null and x.day > ${on}`

/**
 * The open amount of each bill at the end of a day, from dated facts: what is open now, plus what was paid since, less
 * what was paid then and reversed since; and of a bill cancelled since, what was owed of it then. Money ordered for a
 * later day is owed until that day.
 */
const openBillsOn = (ctx: Ctx, on: Day): RawBuilder<unknown> => sql`
  select e.supplier_id, e.due_day, (case when e.state = 'approved'
      then e.open_agorot + coalesce(p.later, 0) - coalesce(p.undone, 0)
      else coalesce(e.owed_agorot, e.ils_total_agorot) - coalesce(p.then, 0) end)::bigint as open
  from expenses e left join (select y.expense_id,
      sum(y.amount_agorot) filter (where y.cancelled_at is null and y.day > ${on}) as later,
      sum(y.amount_agorot) filter (where y.cancelled_at is not null and y.day <= ${on} and r.day > ${on})
        as undone,
      sum(y.amount_agorot) filter (where y.day <= ${on} and (y.cancelled_at is null or r.day > ${on})) as then
    from expense_payments y left join entries r on r.company_id = y.company_id and r.reverses_id = y.entry_id
    where y.company_id = ${ctx.companyId} group by 1) p on p.expense_id = e.id
  where e.company_id = ${ctx.companyId} and e.supplier_id is not null
    and coalesce(e.books_day, e.day) <= ${on} and (e.state = 'approved' or e.state = 'cancelled'
      and exists (select 1 from expense_entries x
        join entries n on n.company_id = x.company_id and n.id = x.entry_id and n.kind <> 'supplierPayment'
        join entries r on r.company_id = n.company_id and r.reverses_id = n.id and r.day > ${on}
        where x.company_id = e.company_id and x.expense_id = e.id))`
