import { sql } from 'kysely'
import type { z } from 'zod'
import { addMonths } from '#domain/day.ts'
import { payOldest } from '#domain/committee/split.ts'
import { documentTypes, paymentMeans } from '#domain/documents/kinds.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { ordered, registerOrders, underOrder } from '#kit/server/rights/authority.ts'
import { newId, type App, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { isUntouched } from '#kit/server/data/documentFacts.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { terminalFor } from '#features/money/acquirers/server/index.ts'
import { linkOfDocument } from '#features/money/paymentLinks/server/index.ts'
import { documentInput } from '#features/sales/documents/endpoints.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import type * as calls from '../endpoints.ts'
import { keepPaid, openFor } from './dues.ts'
import { describeHouses, houseOf, tenantKind, type House } from './house.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

registerBusinessPage('/vaadtenant', {
  owner: (key) => sql`select company_id from committee_tenant_pages where key = ${key}`,
  words: 'committee.pageFace',
  logo: (key) => `/api2/invoice/vaadtenant/${key}/logo`,
})

const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, house: House, customerId: string) => Promise<T>,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      building: string
      customer: string
    }>`select t.company_id, t.building_id as building, coalesce(p.merged_into, p.id) as customer
      from committee_tenant_pages t
      join parties p on p.company_id = t.company_id and p.id = t.customer_id where t.key = ${key}`,
    async (inside, { building, customer }) => work(inside, await houseOf(inside, building), customer),
  )

/**
 * What a tenant's page may show: dues of which the tenant is the payer, and of an owned flat all of them during the
 * ownership. A renter never sees earlier debts, and nobody what another flat owes.
 */
const his = (
  ctx: Ctx,
  buildingId: string,
  customerId: string,
) => sql`d.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and f.archived_at is null
  and (d.payer_id = ${customerId}
  or exists (select 1 from committee_people p where p.company_id = d.company_id and p.flat_id = d.flat_id
  and p.customer_id = ${customerId} and p.role = 'owner' and p.archived_at is null
    and p.from_day <= d.month and (p.to_day is null or p.to_day >= d.month)))`

export const tenantPage = (ctx: OpenCtx, { key }: In<typeof calls.tenantPage>) =>
  byKey(ctx, key, async (inside, house, customerId) => {
    const company = await companyOf(inside)
    const { rows: who } = await sql<{
      name: string
    }>`select name from parties where company_id = ${inside.companyId} and id = ${customerId}`.execute(
      inside.tx,
    )
    const { rows: flats } = await sql<{
      flat: string
      role: string
      fromDay: string
      toDay: string | null
    }>`select concat_ws('/', nullif(f.entrance, ''), f.number) as flat, p.role, p.from_day as "fromDay",
        p.to_day as "toDay" from committee_people p
      join committee_flats f on f.company_id = p.company_id and f.id = p.flat_id
      where p.company_id = ${inside.companyId} and f.building_id = ${house.id}
        and p.customer_id = ${customerId} and p.archived_at is null
        order by f.entrance, lpad(f.number, 10, '0'), p.from_day`.execute(inside.tx)
    const { rows: dues } = await sql<{
      month: string
      flat: string
      what: string | null
      agorot: number
      paidAgorot: number
      isMine: boolean
    }>`select d.month, concat_ws('/', nullif(f.entrance, ''), f.number) as flat, l.name as what, d.agorot,
        d.paid_agorot as "paidAgorot", d.payer_id = ${customerId} as "isMine"
      from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id left
      join committee_levies l on l.company_id = d.company_id and l.id = d.levy_id
      where ${his(inside, house.id, customerId)} and d.agorot > 0
        and (d.month > ${addMonths(inside.today, -24)} or d.paid_agorot < d.agorot)
        order by d.month > ${inside.today}, case when d.month <= ${inside.today} then d.month end desc,
          d.month, f.entrance, lpad(f.number, 10, '0'), l.name nulls first limit 400`.execute(inside.tx)
    const { rows: paid } = await sql<{
      day: string
      agorot: number
      receipt: number | null
      flat: string
    }>`select y.day, y.agorot, t.number as receipt, concat_ws('/', nullif(f.entrance, ''), f.number) as flat
      from committee_payments y
      join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id left
      join documents t on t.company_id = y.company_id and t.id = y.document_id
      where y.company_id = ${inside.companyId} and f.building_id = ${house.id}
        and y.customer_id = ${customerId} and y.cancelled_at is null order by y.day desc, y.id
        limit 100`.execute(inside.tx)
    const owed = await owedBy(inside, house.id, customerId)
    return {
      ...faceOf(company),
      language: company.language,
      house: house.name,
      treasurer: house.treasurer,
      name: who[0]?.name ?? '',
      flats,
      dues: dues.map((one) => ({ ...one, isMine: Boolean(one.isMine), isAhead: one.month > inside.today })),
      paid,
      openAgorot: owed.reduce((sum, one) => sum + one.agorot, 0),
      paysOnline: owed.length > 0 && Boolean(await terminalFor(inside)),
      housePage: house.pageKey ? `/vaadpage/${house.pageKey}` : null,
    }
  })

/** What the tenant owes for months up to this one, flat by flat. */
async function owedBy(
  ctx: Ctx,
  buildingId: string,
  customerId: string,
): Promise<{ flatId: string; flat: string; agorot: number }[]> {
  const { rows } = await sql<{
    flatId: string
    flat: string
    agorot: number
  }>`select f.id as "flatId", concat_ws('/', nullif(f.entrance, ''), f.number) as flat,
      sum(d.agorot - d.paid_agorot)::bigint as agorot
    from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and d.payer_id = ${customerId}
      and d.paid_agorot < d.agorot and d.month <= ${ctx.today} group by 1, 2, f.entrance, f.number
    order by f.entrance, lpad(f.number, 10, '0')`.execute(ctx.tx)
  return rows
}

export const tenantLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

/** A request over the tenant's debt, paid on its page: a second press leads to the one that still waits. */
export async function payByTenant(
  ctx: OpenCtx,
  { key }: In<typeof calls.payByTenant>,
): Promise<{ url: string }> {
  const found = await byKey(ctx, key, async (inside, house, customerId) => {
    await throttle(ctx.app, `vaadtenant:${customerId}`, 12)
    const owed = await owedBy(inside, house.id, customerId)
    const agorot = owed.reduce((sum, one) => sum + one.agorot, 0)
    if (agorot <= 0) throw fail('committee.nobodyOwes')
    if (!(await terminalFor(inside, agorot))) throw fail('committee.notOnline')
    await sql`select 1 from parties where company_id = ${inside.companyId} and id = ${customerId} for no key
      update`.execute(inside.tx)
    const { rows: waits } = await sql<{
      document: string
    }>`select r.document_id as document from committee_requests r
      join documents d on d.company_id = r.company_id and d.id = r.document_id
      where r.company_id = ${inside.companyId} and r.building_id = ${house.id}
        and r.customer_id = ${customerId} and r.taken_at is null and r.agorot = ${agorot}
        and ${isUntouched('d')}
        and greatest(d.open_agorot, d.asked_agorot) > 0 limit 1`.execute(inside.tx)
    let documentId = waits[0]?.document
    if (!documentId) {
      const company = await companyOf(inside)
      const description = say(company.language, 'committee.receiptFor', {
        house: house.name,
        flats: owed.map((one) => one.flat).join(', '),
      })
      const content = documentInput.parse({
        type: documentTypes.paymentRequest.id,
        customerId,
        // It is paid at once on the page that it opens.
        dueDate: inside.today,
        // Dues of a house bear no VAT.
        lines: [
          {
            description: description.slice(0, 500),
            quantity: '1',
            unitPrice: `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`,
            vatKind: 4,
          },
        ],
      })
      const made = await underOrder(inside, tenantKind, house.id, async (bound) =>
        issuePrepared(bound, await prepareDocument(bound, content)),
      )
      if ('waits' in made) return undefined
      documentId = made.done.id
      await sql`insert into committee_requests (company_id, id, building_id, customer_id, document_id, agorot)
        values (${inside.companyId}, ${newId()}, ${house.id}, ${customerId}, ${documentId},
          ${agorot})`.execute(inside.tx)
    }
    return { url: (await linkOfDocument(inside, documentId)).url }
  })
  // Committed with the question: the house cannot be paid online before somebody approved.
  if (!found) throw fail('committee.notOnline')
  return found
}

registerOrders(tenantKind, {
  rule: 'committee.change',
  entity: 'committeebuildings',
  describe: describeHouses,
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select id from committee_buildings b
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[]) and archived_at is null
        and exists (select 1 from committee_tenant_pages t where t.company_id = b.company_id
          and t.building_id = b.id)`.execute(ctx.tx)
    const asks = { effect: 'issue' as const, agorot: 0, documentType: documentTypes.paymentRequest.id }
    return rows.map(({ id }) => ({ id, does: [asks] }))
  },
  // The person who opens the page from now on can pay.
  goOn: async () => {},
})

interface Came {
  buildingId: string
  customerId: string
  agorot: number
  day: string
  means: number
  documentId: string | null
}

/**
 * Money of a tenant that has its receipt pays the tenant's debts, flat by flat; the rest is kept in advance with the
 * tenant's last flat.
 */
export async function spread(
  ctx: Ctx,
  { buildingId, customerId, agorot, day, means, documentId }: Came,
): Promise<void> {
  const { rows: flats } = await sql<{
    id: string
  }>`select f.id from committee_people p join committee_flats f on f.company_id = p.company_id
      and f.id = p.flat_id
    where p.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and p.customer_id = ${customerId}
      and p.archived_at is null group by f.id, f.entrance, f.number
      order by f.entrance, lpad(f.number, 10, '0')`.execute(ctx.tx)
  let left = agorot
  for (const [n, flat] of flats.entries()) {
    if (left <= 0) break
    const { paid, ahead } = payOldest(await openFor(ctx, flat.id, customerId), left)
    const isLast = n === flats.length - 1
    const part = isLast ? left : left - ahead
    if (part <= 0) continue
    const id = newId()
    await sql`insert into committee_payments (company_id, id, flat_id, customer_id, day, means, agorot,
        ahead_agorot, document_id)
      values (${ctx.companyId}, ${id}, ${flat.id}, ${customerId}, ${day}, ${means}, ${part},
        ${isLast ? ahead : 0}, ${documentId})`.execute(ctx.tx)
    await keepPaid(ctx, id, paid)
    left -= part
  }
}

const paidRequests = dueRows({
  name: 'committee.requests',
  due: () => sql`select r.company_id, r.id::text as key, r.created_at as at from committee_requests r
    join documents d on d.company_id = r.company_id and d.id = r.document_id
    where r.taken_at is null and exists (select 1 from asked_payments a where a.company_id = r.company_id
      and a.request_id = r.document_id) and greatest(d.open_agorot, d.asked_agorot) <= 0`,
  serve: async (ctx, id) => {
    const { rows: mine } = await sql<{
      building: string
      customer: string
      agorot: number
      document: string
    }>`update committee_requests set taken_at = now() where company_id = ${ctx.companyId} and id = ${id}
        and taken_at is null
      returning building_id as building, customer_id as customer, agorot, document_id as document`.execute(
      ctx.tx,
    )
    const [of] = mine
    if (!of) return 0
    await houseOf(ctx, of.building, true)
    const { rows: receipts } = await sql<{
      id: string
      day: string
    }>`select d.id, d.day from asked_payments a join documents d on d.company_id = a.company_id
        and d.id = a.document_id
      where a.company_id = ${ctx.companyId} and a.request_id = ${of.document} order by d.day desc, d.id desc
      limit 1`.execute(ctx.tx)
    await spread(ctx, {
      buildingId: of.building,
      customerId: of.customer,
      agorot: of.agorot,
      day: receipts[0]?.day ?? ctx.today,
      means: paymentMeans.card,
      documentId: receipts[0]?.id ?? null,
    })
    await ctx.audit('committee.pay', 'committeebuildings', of.building, undefined, {
      payments: 1,
      agorot: of.agorot,
    })
    return 1
  },
})

/** Requests that were paid become payments of their tenants, flat by flat, with the receipt that paid them; once. */
export const takeRequests = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, paidRequests, { isOver })

/** The address of somebody's own page; a new one ends the one before. */
export async function setTenantPage(
  ctx: Ctx,
  { id, customerId, on, renew }: In<typeof calls.setTenantPage>,
): Promise<{ url: string | null }> {
  await houseOf(ctx, id, true)
  const { rows: lives } =
    await sql`select 1 from committee_people p join committee_flats f on f.company_id = p.company_id
        and f.id = p.flat_id
    where p.company_id = ${ctx.companyId} and f.building_id = ${id} and p.customer_id = ${customerId}
      and p.archived_at is null limit 1`.execute(ctx.tx)
  if (!lives.length) throw failField('customerId', 'fields.ref')
  const of = sql`company_id = ${ctx.companyId} and building_id = ${id} and customer_id = ${customerId}`
  if (!on || renew) await sql`delete from committee_tenant_pages where ${of}`.execute(ctx.tx)
  await ctx.audit('committee.tenantPage', 'committeebuildings', id, undefined, { customerId, on, renew })
  if (!on) return { url: null }
  return { url: await tenantAddress(ctx, id, customerId) }
}

/** The page on which a payer of a house sees and pays debts; created when it is first needed. */
export async function tenantAddress(ctx: Ctx, buildingId: string, customerId: string): Promise<string> {
  const { rows: opened } =
    await sql`insert into committee_tenant_pages (company_id, building_id, customer_id, key)
    values (${ctx.companyId}, ${buildingId}, ${customerId}, ${newToken()})
    on conflict (company_id, building_id, customer_id) do nothing returning 1`.execute(ctx.tx)
  if (opened.length) await ordered(ctx, tenantKind, buildingId)
  const { rows } = await sql<{
    key: string
  }>`select key from committee_tenant_pages where company_id = ${ctx.companyId}
      and building_id = ${buildingId} and customer_id = ${customerId}`.execute(ctx.tx)
  return `${siteOf(ctx.app)}/vaadtenant/${rows[0]!.key}`
}
