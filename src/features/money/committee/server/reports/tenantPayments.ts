import { sql } from 'kysely'
import { paymentMeans, paymentMeansById } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { seesHouses } from '../house.ts'

const means = Object.keys(paymentMeans) as (keyof typeof paymentMeans)[]

/**
 * What tenants paid: flat, who, when, for which months, how, and the receipt. What was cancelled has no amount.
 */
export const tenantPayments = defineReport({
  name: 'tenantPayments',
  feature: 'committee',
  group: 'people',
  path: '/invoice/tenantpayments',
  allow: 'committee.see',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    building: ref('committeebuildings'),
    flat: ref('committeeflats'),
    customer: ref('customers'),
  },
  columns: {
    day: day(),
    building: text(),
    flat: text(),
    tenant: text(),
    months: text(),
    means: choice(means, { words: 'documents.means' }),
    reference: { ...text(), whenFilled: true },
    receipt: number(),
    agorot: { ...money(), main: true },
    aheadAgorot: { ...money(), whenFilled: true },
    cancelled: { ...day(), whenFilled: true },
  },
  totals: ['agorot', 'aheadAgorot'],
  rows: async (ctx, { from, to, building, flat, customer }, most) => {
    seesHouses(ctx)
    const { rows } = await sql<
      ReportRow & { meansId: number }
    >`select y.id as "paymentId", y.day, b.name as building, concat_ws('/', nullif(f.entrance, ''), f.number)
        as flat, p.name as tenant,
        (select string_agg(distinct to_char(d.month, 'MM/YYYY'), ', ') from committee_paid x
        join committee_dues d on d.company_id = x.company_id and d.id = x.due_id
        where x.company_id = y.company_id and x.payment_id = y.id) as months,
        y.means as "meansId", nullif(y.reference, '') as reference, t.number as receipt, case
        when y.cancelled_at is null then y.agorot else 0 end::bigint as agorot,
        nullif(y.ahead_agorot, 0)::bigint as "aheadAgorot",
        y.cancelled_at::date as cancelled, '/invoice/preview/' || t.id as open
      from committee_payments y join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
      join committee_buildings b on b.company_id = f.company_id and b.id = f.building_id
        join parties p on p.company_id = y.company_id and p.id = y.customer_id left
        join documents t on t.company_id = y.company_id and t.id = y.document_id
        and sees_type(t.type)
      where y.company_id = ${ctx.companyId} and y.day between ${from}
        and ${to} ${building ? sql`and b.id = ${building}` : sql``} ${flat ? sql`and f.id = ${flat}` : sql``}
        ${customer ? sql`and y.customer_id = ${customer}` : sql``}
      order by y.day desc, y.created_at desc, y.id limit ${most}`.execute(ctx.tx)
    return rows.map(({ meansId, ...row }) => ({ ...row, means: paymentMeansById(meansId)! }))
  },
  sums: async (ctx, { from, to, building, flat, customer }) => {
    seesHouses(ctx)
    const { rows } = await sql<{
      count: number
      agorot: number
      ahead: number
    }>`select count(*)::int as count, coalesce(sum(y.agorot) filter (where y.cancelled_at is null), 0)::bigint
        as agorot, coalesce(sum(y.ahead_agorot), 0)::bigint as ahead
      from committee_payments y join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
      where y.company_id = ${ctx.companyId} and y.day between ${from}
        and ${to} ${building ? sql`and f.building_id = ${building}` : sql``}
        ${flat ? sql`and f.id = ${flat}` : sql``}
        ${customer ? sql`and y.customer_id = ${customer}` : sql``}`.execute(ctx.tx)
    return { rows: rows[0]!.count, totals: { agorot: rows[0]!.agorot, aheadAgorot: rows[0]!.ahead } }
  },
})
