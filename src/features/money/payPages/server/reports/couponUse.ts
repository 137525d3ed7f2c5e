import { sql } from 'kysely'
import { day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

/** Every use of a coupon: who, what for, what it cost and what it brought. */
export const couponUse = defineReport({
  name: 'couponUse',
  feature: 'payPages',
  group: 'money',
  path: '/invoice/reportcoupons',
  allow: 'coupons.see',
  filters: { coupon: ref('coupons'), page: ref('payPages'), from: day(), to: day() },
  key: ['code', 'day', 'payer'],
  columns: {
    name: text(),
    code: text(),
    day: day(),
    page: text(),
    payer: text(),
    grossAgorot: money(),
    discountAgorot: money(),
    paidAgorot: { ...money(), main: true },
  },
  groupBy: 'name',
  totals: ['grossAgorot', 'discountAgorot', 'paidAgorot'],
  must: { adds: (totals) => totals.paidAgorot === totals.grossAgorot! - totals.discountAgorot! },
  rows: async (ctx, { coupon, page, from, to }) => {
    const { rows } = await sql<{
      name: string
      code: string
      day: string
      page: string
      payer: string
      grossAgorot: number
      discountAgorot: number
      paidAgorot: number
      pageId: string
    }>`select coalesce(nullif(c.name, ''), c.code) as name, c.code,
        (u.at at time zone 'Asia/Jerusalem')::date::text as day, g.title as page, p.payer->>'name' as payer,
        coalesce(p.taken_agorot, p.total_agorot) + p.discount_agorot as "grossAgorot",
        p.discount_agorot as "discountAgorot",
        coalesce(p.taken_agorot, p.total_agorot) as "paidAgorot", p.page_id as "pageId"
      from coupon_uses u join coupons c on c.company_id = u.company_id and c.id = u.coupon_id
        join pay_purchases p on p.company_id = u.company_id and p.id = u.purchase_id
        join pay_pages g on g.company_id = p.company_id and g.id = p.page_id
      where u.company_id = ${ctx.companyId} and u.state = 'used'
        and (${coupon ?? null}::uuid is null or u.coupon_id = ${coupon ?? null})
        and (${page ?? null}::uuid is null or p.page_id = ${page ?? null})
        and (${from ?? null}::date is null or (u.at at time zone 'Asia/Jerusalem')::date >= ${from ?? null})
        and (${to ?? null}::date is null or (u.at at time zone 'Asia/Jerusalem')::date <= ${to ?? null})
      order by 1, 2, u.at`.execute(ctx.tx)
    return rows.map(({ pageId, ...row }) => ({ ...row, open: `/invoice/paypages/${pageId}` }))
  },
})
