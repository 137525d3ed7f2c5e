import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { endApproval, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { neededByCard } from '#features/sales/documents/server/index.ts'
import { needKeeping, terminalFor } from '#features/money/acquirers/server/index.ts'
import { pageInput, type PageAnswer, type PageContent } from '../endpoints.ts'
import { mostFileFields, type PageState } from '../payPages.ts'
import type { Language } from '../shown.ts'

/** What payment pages are called where it is kept who ordered them. */
export const pageKind = 'payPages'

export interface StoredPage {
  id: string
  kind: PageContent['kind']
  state: 'draft' | 'open' | 'closed'
  page_key: string
  short_code: string
  title: string
  language: Language
  texts: PageContent['texts']
  accent: string
  sum_kind: PageContent['sumKind']
  suggested: number[]
  least_agorot: number | null
  most_agorot: number | null
  most_instalments: number
  fields: PageContent['fields']
  asks_email: PageContent['asksEmail']
  asks_phone: PageContent['asksPhone']
  asks_tax_id: PageContent['asksTaxId']
  must_agree: boolean
  takes_coupons: boolean
  places: number | null
  places_taken: number
  closes_at: Date | string | null
  thanks_url: string
  paper: PageContent['paper']
  told: string[]
  sites: string[]
  every_n: number
  billing_day: number
  charge_today: boolean
  first_price_agorot: number | null
  trial_days: number
  times: number | null
  version: number
  created_at: string
}

export interface StoredItem {
  id: string
  item_id: string | null
  names: PageContent['items'][number]['names']
  price_agorot: number
  most_quantity: number
  is_fixed: boolean
  stock: number | null
  taken: number
}

export async function pageOf(ctx: Ctx, id: string, lock = false): Promise<StoredPage> {
  const { rows } = await sql<StoredPage>`select * from pay_pages where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const itemsOf = async (ctx: Ctx, pageId: string): Promise<StoredItem[]> =>
  (
    await sql<StoredItem>`select id, item_id, names, price_agorot, most_quantity, is_fixed, stock, taken
      from pay_page_items
      where company_id = ${ctx.companyId} and page_id = ${pageId} and archived_at is null
      order by position, id`.execute(ctx.tx)
  ).rows

const momentOf = (value: Date | string | null): string | null =>
  value === null ? null : new Date(value).toISOString()

export const contentOf = (page: StoredPage, items: readonly StoredItem[]): PageContent => ({
  kind: page.kind,
  language: page.language,
  texts: page.texts,
  accent: page.accent,
  sumKind: page.sum_kind,
  suggested: page.suggested,
  leastAgorot: page.least_agorot,
  mostAgorot: page.most_agorot,
  mostInstalments: page.most_instalments,
  items: items.map((item) => ({
    id: item.id,
    itemId: item.item_id,
    names: item.names,
    priceAgorot: item.price_agorot,
    mostQuantity: item.most_quantity,
    isFixed: item.is_fixed,
    stock: item.stock,
  })),
  fields: page.fields,
  asksEmail: page.asks_email,
  asksPhone: page.asks_phone,
  asksTaxId: page.asks_tax_id,
  mustAgree: page.must_agree,
  takesCoupons: page.takes_coupons,
  places: page.places,
  closesAt: momentOf(page.closes_at),
  thanksUrl: page.thanks_url,
  paper: page.paper,
  told: page.told,
  sites: page.sites,
  everyN: page.every_n,
  billingDay: page.billing_day,
  chargeToday: page.charge_today,
  firstPriceAgorot: page.first_price_agorot,
  trialDays: page.trial_days,
  times: page.times,
})

/** A page as it is sent now. */
export function stateOf(page: StoredPage, items: readonly StoredItem[], now: Date): PageState {
  if (page.state !== 'open') return page.state
  if (page.closes_at !== null && new Date(page.closes_at) <= now) return 'over'
  if (page.places !== null && page.places_taken >= page.places) return 'full'
  const isGone = ({ stock, taken }: StoredItem) => stock !== null && taken >= stock
  const mustHave = items.filter(({ is_fixed: isFixed }) => isFixed)
  if (page.sum_kind === 'items' && (items.every(isGone) || mustHave.some(isGone))) return 'full'
  return 'open'
}

export const toldState = sql`case when t.state <> 'open' then t.state when t.closes_at <= now() then 'over'
  when t.places is not null and t.places_taken >= t.places then 'full' else 'open' end`

/** The origin of a site, in one spelling; undefined when it is none that a frame can stand in. */
export function originOf(site: string): string | undefined {
  try {
    const url = new URL(site.includes('://') ? site : `https://${site}`)
    const isHere = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) return undefined
    if (
      url.username ||
      url.password ||
      /[;,\s*'"]/.test(url.host) ||
      (!url.hostname.includes('.') && !isHere)
    )
      return undefined
    return url.origin
  } catch {
    return undefined
  }
}

/** Refuses a page that could not be paid by, and fills in what follows. */
async function settled(ctx: Ctx, given: PageContent): Promise<PageContent> {
  if (!given.texts[given.language]?.title) throw failField(`texts.${given.language}.title`, 'fields.need')
  const bySum = given.kind !== 'subscription' && given.sumKind !== 'items'
  if (given.kind === 'subscription' && given.sumKind !== 'items') throw failField('sumKind', 'fields.choice')
  if (!bySum && given.items.length === 0) throw failField('items', 'payPages.noItems')
  if (given.sumKind === 'suggested' && given.suggested.length === 0)
    throw failField('suggested', 'fields.need')
  if (given.leastAgorot && given.leastAgorot < 100) throw failField('leastAgorot', 'fields.range')
  if (given.mostAgorot && given.mostAgorot < (given.leastAgorot ?? 100))
    throw failField('mostAgorot', 'fields.range')
  for (const [i, one] of given.suggested.entries())
    if (one < (given.leastAgorot ?? 100) || one > (given.mostAgorot ?? 100_000_000))
      throw failField(`suggested.${i}`, 'fields.range')
  const sites = given.sites.map((site, i) => {
    const origin = originOf(site)
    if (!origin) throw failField(`sites.${i}`, 'payPages.noSite')
    return origin
  })
  if (given.fields.filter(({ kind }) => kind === 'file').length > mostFileFields)
    throw failField('fields', 'payPages.mostFiles', { most: mostFileFields })
  for (const [i, field] of given.fields.entries()) {
    if (given.fields.findIndex(({ key }) => key === field.key) !== i)
      throw failField(`fields.${i}.key`, 'fields.text')
    if (field.kind === 'choice' && (field.choices[given.language] ?? []).length < 2)
      throw failField(`fields.${i}.choices`, 'fields.need')
    // Answers are kept by their place, so every language has as many.
    for (const choices of Object.values(field.choices))
      if (field.kind === 'choice' && choices.length !== field.choices[given.language]!.length)
        throw failField(`fields.${i}.choices`, 'fields.need')
  }
  if (new Set(given.items.map(({ id }) => id)).size < given.items.length)
    throw failField('items', 'fields.ref')
  for (const [i, { itemId }] of given.items.entries())
    await checkRef(ctx, `items.${i}.itemId`, 'items', itemId)
  if (given.paper === 'donation' && (await companyOf(ctx)).kind !== 'nonProfit')
    throw failField('paper', 'payPages.onlyNonProfit')
  if (given.paper === 'receipt' || given.paper === 'invoiceReceipt') {
    const needed = await neededByCard(ctx, { for: 'sale', pays: 'nothing' })
    if (needed !== (given.paper === 'receipt' ? 'receipt' : 'taxInvoiceReceipt'))
      throw failField('paper', 'payPages.paperNot')
  }
  const whole = given.items.reduce((sum, item) => sum + (item.isFixed ? item.priceAgorot : 0), 0)
  if (given.firstPriceAgorot && whole > 0 && given.firstPriceAgorot > whole)
    throw failField('firstPriceAgorot', 'fields.range')
  if (given.mustAgree && !given.texts[given.language]!.terms)
    throw failField(`texts.${given.language}.terms`, 'fields.need')
  return {
    ...given,
    sites: [...new Set(sites)],
    sumKind: given.kind === 'subscription' ? 'items' : given.sumKind,
  }
}

const columnsOf = (content: PageContent) => ({
  kind: content.kind,
  title: content.texts[content.language]!.title,
  language: content.language,
  texts: JSON.stringify(content.texts),
  accent: content.accent,
  sum_kind: content.sumKind,
  suggested: content.suggested,
  least_agorot: content.leastAgorot ?? null,
  most_agorot: content.mostAgorot ?? null,
  most_instalments: content.mostInstalments,
  fields: JSON.stringify(content.fields),
  asks_email: content.asksEmail,
  asks_phone: content.asksPhone,
  asks_tax_id: content.asksTaxId,
  must_agree: content.mustAgree,
  takes_coupons: content.takesCoupons,
  places: content.places ?? null,
  closes_at: content.closesAt ?? null,
  thanks_url: content.thanksUrl,
  paper: content.paper,
  told: content.told,
  sites: content.sites,
  every_n: content.everyN,
  billing_day: content.billingDay,
  charge_today: content.chargeToday,
  first_price_agorot: content.firstPriceAgorot ?? null,
  trial_days: content.trialDays,
  times: content.times ?? null,
})

async function keepItems(ctx: Ctx, pageId: string, items: PageContent['items']): Promise<void> {
  const known = new Map((await itemsOf(ctx, pageId)).map((item) => [item.id, item]))
  for (const [position, item] of items.entries()) {
    const taken = known.get(item.id)?.taken ?? 0
    if (item.stock !== null && item.stock !== undefined && item.stock < taken)
      throw failField(`items.${position}.stock`, 'payPages.takenMore', { taken })
    await sql`insert into pay_page_items (company_id, page_id, id, position, item_id, names, price_agorot,
        most_quantity, is_fixed, stock)
      values (${ctx.companyId}, ${pageId}, ${item.id}, ${position}, ${item.itemId ?? null},
        ${JSON.stringify(item.names)}, ${item.priceAgorot},
        ${item.mostQuantity}, ${item.isFixed}, ${item.stock ?? null})
      on conflict (company_id, page_id, id) do update set position = excluded.position,
        item_id = excluded.item_id, names = excluded.names,
        price_agorot = excluded.price_agorot, most_quantity = excluded.most_quantity,
        is_fixed = excluded.is_fixed, stock = excluded.stock, archived_at = null`.execute(ctx.tx)
  }
  await sql`update pay_page_items set archived_at = now() where company_id = ${ctx.companyId}
      and page_id = ${pageId} and archived_at is null
    and id <> all(${items.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
}

const codeSigns = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Eight signs that are not taken for one another when they are read aloud. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((n) => codeSigns[n % codeSigns.length]).join('')

export async function createPage(ctx: Ctx, given: PageContent): Promise<PageAnswer> {
  const content = await settled(ctx, given)
  const id = newId()
  const columns = Object.entries({
    company_id: ctx.companyId,
    id,
    page_key: newToken(),
    short_code: newCode(),
    created_by: ctx.caller.userId || null,
    created_at: ctx.now,
    ...columnsOf(content),
  })
  await sql`insert into pay_pages (${sql.join(columns.map(([name]) => sql.ref(name)))})
    values (${sql.join(columns.map(([, value]) => sql`${value}`))})`.execute(ctx.tx)
  await keepItems(ctx, id, content.items)
  await ordered(ctx, pageKind, id)
  await ctx.audit('payPages.create', 'payPages', id, undefined, {
    title: content.texts[content.language]!.title,
    kind: content.kind,
  })
  return showPage(ctx, id)
}

export async function changePage(
  ctx: Ctx,
  { id, version, content: given }: { id: string; version: number; content: PageContent },
) {
  const page = await pageOf(ctx, id, true)
  if (page.version !== version) throw fail('payPages.changedMeanwhile')
  const content = await settled(ctx, given)
  if (content.kind !== page.kind && (await wasUsed(ctx, id))) throw failField('kind', 'fields.choice')
  if (content.places !== null && content.places !== undefined && content.places < page.places_taken)
    throw failField('places', 'payPages.takenMore', { taken: page.places_taken })
  const columns = Object.entries({ ...columnsOf(content), version: version + 1, updated_at: ctx.now })
  await sql`update pay_pages set ${sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await keepItems(ctx, id, content.items)
  await ordered(ctx, pageKind, id)
  await endApproval(ctx, pageKind, id)
  await ctx.audit(
    'payPages.change',
    'payPages',
    id,
    { title: page.title },
    { title: content.texts[content.language]!.title },
  )
  return showPage(ctx, id)
}

async function wasUsed(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from pay_purchases where company_id = ${ctx.companyId} and page_id = ${id}
      limit 1`.execute(ctx.tx)
  return rows.length > 0
}

/** Opens a page, where a terminal can do what it needs. */
export async function openPage(ctx: Ctx, id: string): Promise<PageAnswer> {
  const page = await pageOf(ctx, id, true)
  if (page.sum_kind === 'items' && (await itemsOf(ctx, id)).length === 0) throw fail('payPages.noItems')
  if (page.kind === 'subscription') await needKeeping(ctx, 'payPages.needTokens')
  else if (!(await terminalFor(ctx, undefined, 'ILS', { deed: page.kind === 'hold' ? 'hold' : 'charge' })))
    throw fail(page.kind === 'hold' ? 'payPages.needHolds' : 'payPages.needCards')
  await sql`update pay_pages set state = 'open', updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ordered(ctx, pageKind, id)
  await endApproval(ctx, pageKind, id)
  await ctx.audit('payPages.open', 'payPages', id)
  return showPage(ctx, id)
}

export async function closePage(ctx: Ctx, id: string): Promise<PageAnswer> {
  await pageOf(ctx, id, true)
  await sql`update pay_pages set state = 'closed', updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('payPages.close', 'payPages', id)
  return showPage(ctx, id)
}

export async function copyPage(ctx: Ctx, id: string): Promise<PageAnswer> {
  const page = await pageOf(ctx, id)
  const content = contentOf(page, await itemsOf(ctx, id))
  const made = await createPage(
    ctx,
    pageInput.parse({ ...content, items: content.items.map((item) => ({ ...item, id: newId() })) }),
  )
  await sql`insert into pay_page_pictures (company_id, page_id, mime, bytes)
    select company_id, ${made.id}, mime, bytes from pay_page_pictures where company_id = ${ctx.companyId}
      and page_id = ${id}`.execute(ctx.tx)
  return showPage(ctx, made.id)
}

const isPaid = sql`p.state in ('paid', 'subscribed')`

export async function showPage(ctx: Ctx, id: string): Promise<PageAnswer> {
  const page = await pageOf(ctx, id)
  const items = await itemsOf(ctx, id)
  const site = siteOf(ctx.app)
  const { rows } = await sql<{
    views: number
    framed: number
    started: number
    paid: number
    held: number
    brought: number
    pictureAt: string | null
  }>`select (select coalesce(sum(views), 0)::int from pay_page_days where company_id = ${ctx.companyId}
      and page_id = ${id}) as views,
      (select coalesce(sum(framed), 0)::int from pay_page_days where company_id = ${ctx.companyId}
      and page_id = ${id}) as framed,
      count(p.id)::int as started, (count(*) filter (where ${isPaid}))::int as paid,
      (count(*) filter (where p.state = 'held'))::int as held,
      coalesce(sum(coalesce(p.taken_agorot, p.total_agorot)) filter (where p.state = 'paid'), 0)::bigint as
      brought,
      (select updated_at from pay_page_pictures where company_id = ${ctx.companyId} and page_id = ${id}) as
      "pictureAt"
    from pay_purchases p where p.company_id = ${ctx.companyId} and p.page_id = ${id}`.execute(ctx.tx)
  const { rows: days } = await sql<{
    day: string
    views: number
    paid: number
  }>`select d.day::text, coalesce(v.views, 0) as views,
      (select count(*)::int from pay_purchases p where p.company_id = ${ctx.companyId} and p.page_id = ${id}
      and ${isPaid}
        and (p.paid_at at time zone 'Asia/Jerusalem')::date = d.day) as paid
    from (select generate_series(${todayThere}::date - 13, ${todayThere}::date, interval '1 day')::date as
      day) d
    left join pay_page_days v on v.company_id = ${ctx.companyId} and v.page_id = ${id} and v.day = d.day
    order by d.day`.execute(ctx.tx)
  const of = rows[0]!
  return {
    id,
    content: contentOf(page, items),
    state: stateOf(page, items, ctx.now),
    version: page.version,
    hasPicture: of.pictureAt !== null,
    pictureVersion: of.pictureAt === null ? null : String(new Date(of.pictureAt).getTime()),
    url: `${site}/paymentpage/${page.page_key}`,
    frameUrl: `${site}/payment2/${page.page_key}`,
    shortUrl: `${site}/p/${page.short_code}`,
    placesTaken: page.places_taken,
    taken: Object.fromEntries(items.map((item) => [item.id, item.taken])),
    views: of.views,
    framedViews: of.framed,
    started: of.started,
    paid: of.paid,
    held: of.held,
    broughtAgorot: of.brought,
    days,
    createdAt: page.created_at,
  }
}

registerOrders(pageKind, {
  rule: 'payPages.change',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{
      id: string
      title: string | null
    }>`select id, texts -> language ->> 'title' as title from pay_pages
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title: title ?? '', href: `/invoice/paypages/${id}` }))
  },
  // The least that somebody can pay on it; where they choose, that is nothing yet.
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; agorot: number }>`select p.id,
        coalesce((select min(i.price_agorot)
        from pay_page_items i where i.company_id = p.company_id and i.page_id = p.id
          and i.archived_at is null), 0)
        as agorot
      from pay_pages p where p.company_id = ${ctx.companyId} and p.id = any (${ids}::uuid[])
        and p.state = 'open'`.execute(ctx.tx)
    return rows.map(({ id, agorot }) => ({ id, does: [{ effect: 'collect', agorot }] }))
  },
  // The person who opens the page from now on can pay.
  goOn: async () => {},
})
