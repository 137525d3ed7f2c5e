import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, currency, day, money, number, price, ref, text } from '#kit/fields/field.ts'
import { isInCustomersFavour } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { isWholeOfDebts, openingNumber, receivablesOn } from '#features/sales/documents/server/index.ts'
import { dayOf, openItems, sumsOnly } from '../openItems.ts'
import { named } from '../parts.ts'

const dues = ['late', 'notDue', 'waiting'] as const

/**
 * Who owes what, document by document, today or on a past day: when each is due and how late it is. Money that waits
 * for a debt is negative.
 */
export const owe = defineReport({
  name: 'owe',
  feature: 'salesReports',
  group: 'people',
  path: '/invoice/reportowe',
  allow: 'reports.debts',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    day: day(),
    due: choice(dues),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
    currency: currency(),
  },
  columns: {
    customer: text(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    number: text(),
    day: day(),
    dueDay: day(),
    daysLate: number(),
    currency: { ...text(), whenFilled: true },
    inCurrency: { ...price(), whenFilled: true },
    totalAgorot: money(),
    openAgorot: { ...money(), main: true },
  },
  groupBy: 'customer',
  totals: ['openAgorot'],
  rows: async (ctx, { day: asked, due, ...more }, most) => {
    const on = dayOf(ctx, asked)
    // What was open in the other currency is known of today alone.
    const isNow = on === ctx.today
    const { rows } = await sql<ReportRow>`
      select p.name as customer, case when o.series like '%#opening' then null else o.type end as "typeId",
        ${openingNumber('o')} as opening, o.number::text as number, o.day, o.due_day as "dueDay",
        case when o.open > 0 and o.due_day < ${on} then ${on}::date - o.due_day end as "daysLate", case
        when o.currency <> 'ILS' then o.currency end as currency,
        case when o.currency <> 'ILS'
        and ${isNow}::boolean then trim_scale(o.open_in_currency_agorot / 100.0)::text end as "inCurrency",
        (case when ${isInCustomersFavour('o')} then -o.ils_total_agorot else o.ils_total_agorot end) as
        "totalAgorot", o.open as "openAgorot", '/invoice/preview/' || o.id as open
      from (${openItems(ctx, on, more)}) o join parties i on i.company_id = ${ctx.companyId}
        and i.id = o.customer_id
        join parties p on p.company_id = i.company_id and p.id = coalesce(i.merged_into, i.id)
      where ${isDue(due, on)}
      order by p.name, p.id, o.due_day nulls last, o.day, o.number limit ${most}`.execute(ctx.tx)
    // What was owed before the books began is called so, and by the number it had then.
    return named(rows).map(({ opening, ...row }) =>
      opening === null || opening === undefined
        ? row
        : { ...row, number: say(ctx.caller.language, 'documents.openingItem', { number: String(opening) }) },
    )
  },
  sums: async (ctx, { day: asked, due, ...more }) => {
    const on = dayOf(ctx, asked)
    const { rows } = await sql<{ rows: number; openAgorot: number }>`
      select count(*)::int as rows, coalesce(sum(o.open), 0)::bigint as "openAgorot"
      from (${openItems(ctx, on, more, sumsOnly)}) o
      where o.customer_id is not null and ${isDue(due, on)}`.execute(ctx.tx)
    return { rows: rows[0]!.rows, totals: { openAgorot: rows[0]!.openAgorot } }
  },
  apart: {
    asInBooks: async (ctx, { day: asked, ...narrow }) => {
      if (!isWholeOfDebts(ctx, narrow)) return 0
      const on = dayOf(ctx, asked)
      const { rows } = await sql<{ open: number }>`select coalesce(sum(o.open), 0)::bigint as open
        from (${openItems(ctx, on, {}, sumsOnly)}) o`.execute(ctx.tx)
      return rows[0]!.open - (await receivablesOn(ctx, on))
    },
  },
})

const isDue = (due: (typeof dues)[number] | null | undefined, on: Day): RawBuilder<unknown> =>
  due === 'late'
    ? sql`o.open > 0 and o.due_day < ${on}`
    : due === 'notDue'
      ? sql`o.open > 0 and (o.due_day >= ${on} or o.due_day is null)`
      : due === 'waiting'
        ? sql`o.open < 0`
        : sql`true`
