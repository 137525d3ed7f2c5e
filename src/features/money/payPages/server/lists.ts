import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { gatewayHere } from '#features/money/acquirers/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import type { PurchaseAnswer } from '../endpoints.ts'
import { payPages, payPurchases } from '../payPages.ts'
import type { Language } from '../shown.ts'
import { filesOfPurchase } from './files.ts'
import { linesOf, purchaseOf } from './purchase.ts'
import { pageOf, toldState } from './store.ts'

const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`
const ofPurchases = (what: ReturnType<typeof sql>) =>
  sql`(select ${what} from pay_purchases p where p.company_id = t.company_id and p.page_id = t.id)`

export const pageList: ServedResource = {
  resource: payPages,
  noArchive: true,
  compute: {
    title: sql`t.title`,
    kind: sql`t.kind`,
    views: sql`(select coalesce(sum(d.views), 0)::int from pay_page_days d where d.company_id = t.company_id
        and d.page_id = t.id)`,
    started: ofPurchases(sql`count(*)::int`),
    paid: ofPurchases(sql`(count(*) filter (where p.state in ('paid', 'subscribed', 'held')))::int`),
    broughtAgorot: ofPurchases(
      sql`coalesce(sum(coalesce(p.taken_agorot, p.total_agorot)) filter (where p.state = 'paid'), 0)::bigint`,
    ),
    placesLeft: sql`t.places - t.places_taken`,
    closesAt: sql`t.closes_at`,
    acquirer: gatewayHere(sql`t.kind = 'hold'`),
    createdAt: sql`t.created_at`,
    state: toldState,
  },
  search: (q) => sql`(t.title ilike ${pattern(q)} or t.short_code = ${q.toLowerCase()})`,
}

const payerOf = (name: string) => sql`nullif(t.payer->>${sql.lit(name)}, '')`
export const purchaseList: ServedResource = {
  resource: payPurchases,
  noArchive: true,
  compute: {
    createdAt: sql`t.created_at`,
    pageId: sql`t.page_id`,
    payer: payerOf('name'),
    email: payerOf('email'),
    phone: payerOf('phone'),
    what: sql`(select string_agg(l.name || case when l.quantity > 1 then ' ×' || l.quantity else '' end, ', '
      order by l.no) from pay_purchase_lines l
      where l.company_id = t.company_id and l.purchase_id = t.id)`,
    sumAgorot: sql`coalesce(t.taken_agorot, t.total_agorot)`,
    paidAgorot: sql`(case when t.state = 'paid' then coalesce(t.taken_agorot, t.total_agorot) else 0 end)`,
    coupon: sql`(select c.code from coupons c where c.company_id = t.company_id and c.id = t.coupon_id)`,
    files: sql`nullif((select count(*)::int from pay_page_files f where f.company_id = t.company_id
        and f.purchase_id = t.id), 0)`,
    paperNumber: sql`(select d.number from charges c join documents d on d.company_id = c.company_id
        and d.id = c.paper_id and sees_type(d.type)
      where c.company_id = t.company_id and c.id = t.charge_id)`,
    heldUntil: sql`case when t.state = 'held' then t.held_until end`,
    state: sql`t.state`,
  },
  refNames: {
    pageId: sql`(select x.title from pay_pages x where x.company_id = t.company_id and x.id = t.page_id)`,
  },
  search: (q) =>
    sql`(t.payer->>'name' ilike ${pattern(q)} or t.payer->>'email' ilike ${pattern(q)}
        or t.payer->>'phone' ilike ${pattern(q)})`,
}

export async function showPurchase(ctx: Ctx, id: string): Promise<PurchaseAnswer> {
  const purchase = await purchaseOf(ctx, id)
  const page = await pageOf(ctx, purchase.page_id)
  const { rows } = await sql<{
    paper: PurchaseAnswer['paper']
    coupon: string | null
    canCapture: boolean
    paidAt: string | null
    source: string | null
  }>`select (select jsonb_build_object('id', d.id, 'type', d.type, 'number', d.number) from charges c
        join documents d on d.company_id = c.company_id and d.id = c.paper_id${onlyAllowed(ctx, 'd.type')}
        where c.company_id = t.company_id and c.id = t.charge_id) as paper,
      (select c.code from coupons c where c.company_id = t.company_id and c.id = t.coupon_id) as coupon,
      exists (select 1 from charges c where c.company_id = t.company_id and c.id = t.charge_id
      and c.state = 'held') as "canCapture",
      t.paid_at as "paidAt", (select string_agg(value, ' / ' order by key) from jsonb_each_text(t.utm)) as
      source
    from pay_purchases t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  const of = rows[0]
  if (!of) throw fail('kit.notFound')
  const { payer } = purchase
  const files = await filesOfPurchase(ctx, id)
  return {
    id,
    page: { id: page.id, title: page.title },
    state: purchase.state,
    kind: purchase.kind,
    createdAt: purchase.created_at,
    paidAt: of.paidAt,
    heldUntil: purchase.state === 'held' ? purchase.held_until : null,
    payer: { name: payer.name, email: payer.email, phone: payer.phone, taxId: payer.taxId },
    answers: page.fields.flatMap(({ key, kind, labels, choices }): PurchaseAnswer['answers'] => {
      const value = purchase.answers[key]
      if (value === undefined) return []
      const label = labels[page.language] ?? Object.values(labels)[0] ?? key
      // What was attached and not paid with is nobody's to see.
      const file = kind === 'file' ? files.find((one) => one.id === value) : undefined
      if (kind === 'file') return file ? [{ label, value: file.name, fileId: file.id }] : []
      return [
        {
          label,
          value:
            kind === 'tick'
              ? '✓'
              : kind === 'choice'
                ? (choices[page.language as Language]?.[Number(value)] ?? '')
                : String(value),
          fileId: null,
        },
      ]
    }),
    terms: purchase.terms,
    lines: (await linesOf(ctx, id)).map((line) => ({
      name: line.name,
      quantity: line.quantity,
      priceAgorot: line.price_agorot,
      discountAgorot: line.discount_agorot,
    })),
    coupon: of.coupon ?? '',
    discountAgorot: purchase.discount_agorot,
    sumAgorot: purchase.total_agorot,
    takenAgorot: purchase.taken_agorot,
    instalments: purchase.instalments,
    site: purchase.site,
    source: of.source ?? '',
    chargeId: purchase.charge_id,
    orderId: purchase.order_id,
    customerId: purchase.customer_id,
    paper: of.paper,
    canCapture: purchase.state === 'held' && of.canCapture,
  }
}
