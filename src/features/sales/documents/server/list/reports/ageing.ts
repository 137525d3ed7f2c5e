import { sql, type RawBuilder } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { can } from '#kit/describe/session.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '../list.ts'
import { isWholeOfDebts, openSince, receivablesOn, wasInBooks } from '../openSince.ts'

/**
 * Open debts of customers by how late they are, or how old their documents are, today or on a past day, from the
 * open items: what is open now, plus what was closed since that day. Money and credits that wait for a debt are
 * listed separately.
 */
export const ageing = defineReport({
  name: 'ageing',
  feature: 'documents',
  group: 'people',
  path: '/invoice/reportgiol',
  allow: 'reports.debts',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { day: day(), by: choice(['due', 'paper'], { start: 'due' }), customer: ref('customers') },
  columns: {
    customer: text(),
    notDueAgorot: money(),
    d30Agorot: money(),
    d60Agorot: money(),
    d90Agorot: money(),
    d120Agorot: money(),
    moreAgorot: money(),
    unappliedAgorot: money(),
    openAgorot: money(),
  },
  totals: [
    'notDueAgorot',
    'd30Agorot',
    'd60Agorot',
    'd90Agorot',
    'd120Agorot',
    'moreAgorot',
    'unappliedAgorot',
    'openAgorot',
  ],
  rows: async (ctx, { day: asked, by, customer }) => {
    const today = asked && asked < ctx.today ? asked : ctx.today
    // A paper of today is a day old, and none is not due.
    const first = by === 'paper' ? addDays(today, 1) : today
    const late = (from: number, to?: number) =>
      sql`d.open > 0
          and d.since <
          ${addDays(first, -from)}${to === undefined ? sql`` : sql` and d.since >= ${addDays(first, -to)}`}`
    const { rows } = await sql<ReportRow>`
      with d as (${openOn(ctx, today, by === 'paper' ? sql`day` : sql`due_day`, customer)})
      select p.name as customer,
        coalesce(sum(d.open) filter (where d.open > 0 and (d.since >= ${first} or d.since is null)),
        0)::bigint as "notDueAgorot",
        coalesce(sum(d.open) filter (where ${late(0, 30)}), 0)::bigint as "d30Agorot",
        coalesce(sum(d.open) filter (where ${late(30, 60)}), 0)::bigint as "d60Agorot",
        coalesce(sum(d.open) filter (where ${late(60, 90)}), 0)::bigint as "d90Agorot",
        coalesce(sum(d.open) filter (where ${late(90, 120)}), 0)::bigint as "d120Agorot",
        coalesce(sum(d.open) filter (where ${late(120)}), 0)::bigint as "moreAgorot",
        coalesce(sum(d.open) filter (where d.open < 0), 0)::bigint as "unappliedAgorot",
        sum(d.open)::bigint as "openAgorot",
        ${
          opensCard(ctx)
            ? sql`'/invoice/reportcustomercard?party=' ||
            p.id`
            : sql`'/invoice/reportowe?customer=' || p.id || ${asked ? `&day=${today}` : ''}`
        } as open
      from d join parties i on i.company_id = ${ctx.companyId} and i.id = d.customer_id
        join parties p on p.company_id = i.company_id and p.id = coalesce(i.merged_into, i.id)
      where d.open <> 0 group by p.id, p.name order by sum(d.open) desc, p.name`.execute(ctx.tx)
    return rows
  },
  must: {
    agesSum: (t) =>
      t.openAgorot ===
      t.notDueAgorot! +
        t.d30Agorot! +
        t.d60Agorot! +
        t.d90Agorot! +
        t.d120Agorot! +
        t.moreAgorot! +
        t.unappliedAgorot!,
  },
  apart: {
    asInBooks: async (ctx, { day: asked, by: _, ...narrow }) => {
      if (!isWholeOfDebts(ctx, narrow)) return 0
      const on = asked && asked < ctx.today ? asked : ctx.today
      const { rows } = await sql<{ open: number }>`select coalesce(sum(d.open), 0)::bigint as open
        from (${openOn(ctx, on, sql`due_day`, undefined)}) d`.execute(ctx.tx)
      return rows[0]!.open - (await receivablesOn(ctx, on))
    },
  },
})

/**
 * People who may not open the card of a customer are led to the customer's open documents, which the right of this
 * report opens.
 */
const opensCard = ({ caller }: Ctx): boolean =>
  can(caller, 'reports.accounting') && caller.docsAllow.length === 0

/**
 * The open items at the end of a day, of all or of one customer: the customer's id, the day an item's age is counted
 * from and what was open.
 */
const openOn = (
  ctx: Ctx,
  day: string,
  since: RawBuilder<unknown>,
  customer: string | undefined,
): RawBuilder<unknown> => {
  const his = customer ? sql` and customer_id in ${groupOf(ctx, customer)}` : sql``
  return day >= ctx.today
    ? sql`select customer_id, ${since} as since, open_agorot as open from documents
      where company_id = ${ctx.companyId} and open_agorot <> 0${onlyAllowed(ctx, 'type')}${his}`
    : sql`select d.customer_id, d.${since} as since, (d.open_agorot + coalesce(b.back, 0))::bigint as open
        from documents d left join (${openSince(ctx, day)}) b on b.id = d.id
        where d.company_id = ${ctx.companyId} and ${isIssued('d')}
          and ${wasInBooks(day)}${onlyAllowed(ctx, 'd.type')}${his}`
}
