import { sql, type RawBuilder } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

const shows = ['class', 'kind', 'trainer', 'month', 'customer'] as const

const groupOf: Record<Exclude<(typeof shows)[number], 'class'>, RawBuilder<unknown>> = {
  kind: sql`k.name`,
  trainer: sql`coalesce(t.name, '')`,
  month: sql`to_char(c.day, 'YYYY-MM')`,
  customer: sql`w.name`,
}

/**
 * Who was booked, who came and who did not, of the classes of a period: by class, kind, trainer, month or
 * customer.
 */
export const attendance = defineReport({
  name: 'attendance',
  feature: 'bookings',
  group: 'people',
  path: '/classworker/reportclass2',
  allow: 'calendar.desk',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    show: choice(shows, { words: 'bookings.reports.attendance.show' }),
    kind: ref('classKinds'),
    trainer: ref('classTrainers'),
    customer: ref('customers'),
  },
  columns: {
    name: text(),
    day: { ...day(), whenFilled: true },
    trainer: { ...text(), whenFilled: true },
    classes: number(),
    seats: number(),
    registered: number(),
    came: number(),
    missed: number(),
    late: number(),
    filledBp: percent(),
    feesAgorot: money(),
  },
  totals: ['classes', 'registered', 'came', 'missed', 'late', 'feesAgorot'],
  rows: async (ctx, { from, to, show, kind, trainer, customer }, most) => {
    const by = (show as (typeof shows)[number] | undefined) ?? 'class'
    const label = by === 'class' ? sql`coalesce(nullif(c.title, ''), k.name)` : groupOf[by]
    const group = by === 'class' ? sql`c.id, ${label}, c.day, c.starts_at, t.name` : label
    const { rows } =
      await sql<ReportRow>`select ${label} as name, ${by === 'class' ? sql`c.day` : sql`null::date`} as day,
          ${by === 'class' ? sql`t.name` : sql`null::text`} as trainer,
        count(distinct c.id)::int as classes,
        ${
          by === 'customer'
            ? sql`null::int`
            : sql`(select sum(x.seats) from classes x
          where x.company_id = ${ctx.companyId} and x.id = any (array_agg(distinct c.id)))::int`
        } as seats,
        count(b.id) filter (where b.state in ('booked', 'came', 'missed'))::int as registered,
        count(b.id) filter (where b.state = 'came')::int as came,
        count(b.id) filter (where b.state = 'missed')::int as missed,
        count(b.id) filter (where b.state = 'late')::int as late,
        ${
          by === 'customer'
            ? sql`null::int`
            : sql`(10000 * count(b.id) filter
            (where b.state in ('booked', 'came', 'missed')) /
            nullif((select sum(x.seats) from classes x where x.company_id = ${ctx.companyId}
            and x.id = any (array_agg(distinct c.id))), 0))::int`
        } as "filledBp",
        coalesce(sum(b.fee_agorot), 0)::bigint as "feesAgorot"
        ${by === 'class' ? sql`, '/invoice/calanderclass?class=' || c.id as open` : sql``}
      from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id left
      join class_trainers t on t.company_id = c.company_id and t.id = c.trainer_id
      ${by === 'customer' || customer ? sql`join` : sql`left join`} class_bookings b
      on b.company_id = c.company_id and b.class_id = c.id and b.state not in ('cancelled', 'waiting')
      and (${customer ?? null}::uuid is null or b.customer_id = ${customer ?? null}::uuid)
      ${
        by === 'customer'
          ? sql`join parties w on w.company_id = b.company_id
          and w.id = b.customer_id`
          : sql``
      }
      where c.company_id = ${ctx.companyId}
        and (c.state <> 'cancelled' or k.is_appointment and b.state = 'late') and c.day between ${from}
        and ${to} and c.starts_at <= ${ctx.now.toISOString()}
        and (${kind ?? null}::uuid is null or c.kind_id = ${kind ?? null}::uuid)
        and (${trainer ?? null}::uuid is null or c.trainer_id = ${trainer ?? null}::uuid)
      group by ${group} order by ${by === 'class' ? sql`c.starts_at, 1` : sql`1`} limit ${most}`.execute(
        ctx.tx,
      )
    return rows
  },
})
