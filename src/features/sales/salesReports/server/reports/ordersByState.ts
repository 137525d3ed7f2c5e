import { sql } from 'kysely'
import { takers } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import {
  isCancelled,
  isClosed,
  isIssued,
  isLive,
  isOpen,
  isPartlyClosed,
  isUntouched,
} from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { narrowed } from '../parts.ts'

const sides = ['order', 'purchaseOrder'] as const
const states = ['open', 'partly', 'closed', 'cancelled'] as const

/** The orders of a period by what became of them, and how much of each is still to be supplied. */
export const ordersByState = defineReport({
  name: 'ordersByState',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/reportorders',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    side: choice(sides, { words: 'documents.types' }),
    state: choice(states),
    customer: ref('customers'),
    agent: ref('agents'),
  },
  columns: {
    state: choice(states),
    number: number(),
    day: day(),
    promisedDay: day(),
    customer: text(),
    subject: text(),
    agent: text(),
    netAgorot: { ...money(), main: true },
    suppliedAgorot: money(),
    leftAgorot: money(),
    suppliedBp: percent(),
  },
  groupBy: 'state',
  totals: ['netAgorot', 'suppliedAgorot', 'leftAgorot'],
  rows: async (ctx, { from, to, side = 'order', state, ...asked }, most) => {
    const { rows } = await sql<ReportRow & { netAgorot: number; leftAgorot: number; rest: number }>`
      with o as (select d.*, case when ${isUntouched('d')} then 1 when ${isOpen('d')} then 2
        when ${isClosed('d')} then 3 else 4 end as place from documents d
        where d.company_id = ${ctx.companyId} and d.type = ${documentTypes[side].id} and ${isIssued('d')}
          and d.day between ${from} and ${to}${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}
          ${state ? sql`and ${hasState[state]('d')}` : sql``} order by place, d.day, d.number
          limit ${most})
      select (${[...states]}::text[])[o.place] as state, o.number, o.day, o.valid_until as "promisedDay",
        coalesce(p.name, o.customer->>'name', ${say(ctx.caller.language, 'salesReports.noCustomer')}) as
        customer, o.subject,
        u.full_name as agent, o.ils_net_agorot as "netAgorot", case when o.place in (1, 2) then r.rest
        else 0 end as "leftAgorot", r.rest,
        ${side === 'purchaseOrder' ? '/invoice/previewex/' : '/invoice/preview/'}::text || o.id as open
      from o left join users u on u.id = o.agent_id left join parties w on w.company_id = o.company_id
        and w.id = o.customer_id
        left join parties p on p.company_id = w.company_id and p.id = coalesce(w.merged_into, w.id),
        lateral (select
        coalesce(sum(round(l.ils_net_agorot * greatest(l.quantity - coalesce(t.taken, 0), 0) /
        nullif(l.quantity, 0))), 0)::bigint as rest
          from document_lines l left
          join lateral (select sum(x.takes) as taken from document_lines x
          join documents f on f.company_id = x.company_id and f.id = x.document_id
            where x.company_id = l.company_id and x.source_document_id = l.document_id
              and x.source_line = l.line
              and ${isLive('f')} and f.type = any(${[...takers[side]]}::int[])) t
              on true
          where l.company_id = o.company_id and l.document_id = o.id) r
      order by o.place, o.day, o.number`.execute(ctx.tx)
    // What was supplied of a cancelled order is what it is; of it nothing is still to come.
    return rows.map(({ rest, ...row }) => ({
      ...row,
      suppliedAgorot: row.netAgorot - rest,
      suppliedBp: row.netAgorot === 0 ? null : Math.round(((row.netAgorot - rest) * 10_000) / row.netAgorot),
    }))
  },
})

const hasState = {
  open: isUntouched,
  partly: isPartlyClosed,
  closed: isClosed,
  cancelled: isCancelled,
} as const
