import { sql } from 'kysely'
import { withCurrency } from '#domain/format.ts'
import type { z } from 'zod'
import { isDay } from '#domain/day.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { foldCode, leastCharge, mostCharge, priceBasket, type Priced } from '#domain/payPages/price.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import { asOrdered, isWithin } from '#kit/server/rights/authority.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { say, wordsOf } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { nameOfPaper } from '#features/sales/documents/server/index.ts'
import {
  chargeOf,
  mostInstalmentsOf,
  openPage,
  planPage,
  settleCharge,
  terminalFor,
  walletsOf,
} from '#features/money/acquirers/server/index.ts'
import { takesWallet } from '#features/money/acquirers/acquirers.ts'
import type { addPageFile, beginPage, checkPage, pricePage } from '../endpoints.ts'
import { languageFor, shownPage, type Language, type ShownPage } from '../shown.ts'
import { couponFor, couponKind, termsOf, type StoredCoupon } from './coupons.ts'
import { checkFiles, takeFile } from './files.ts'
import { getPicture } from './picture.ts'
import {
  beginPurchase,
  freePast,
  freePurchase,
  linesOf,
  setPurchase,
  type NewPurchase,
  type Plan,
  type StoredLine,
  type StoredPurchase,
} from './purchase.ts'
import { pagePurpose, purchaseOfCharge, titleOf, typeOfPage } from './purpose.ts'
import { checkReserve } from './reserve.ts'
import { contentOf, itemsOf, pageKind, pageOf, stateOf, type StoredItem, type StoredPage } from './store.ts'
import { thanksOf } from './thanks.ts'

const ownerOf = (key: string) =>
  sql<{
    company_id: string
    id: string
    sites: string[]
  }>`select company_id, id, sites from pay_pages where page_key = ${key}`
const face = {
  owner: (key: string) =>
    sql<{ company_id: string }>`select company_id from pay_pages where page_key = ${key}`,
  words: 'payPages.pageFace',
  logo: (key: string) => `/api2/invoice/paymentpage/${key}/logo`,
}
registerBusinessPage('/paymentpage', face)
registerBusinessPage('/payment2', face)

const inside = async <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, id: string) => Promise<T>,
): Promise<T> => {
  const row = await rowOfKey(ctx, ownerOf(key))
  return insideOf(ctx, row.company_id, (within) => work(within, row.id))
}

const start = 'payPages.public.'
/** What a payer may be refused with. */
const isTold = (key: string): boolean =>
  /^errors\.(payPages\.|paymentLinks\.(off|inDoubt|acquirerAway)|fields\.|kit\.(badInput|tooMany|tooLarge|unavailable))/.test(
    key,
  )

/** The words of the page alone: a stranger's phone fetches nothing more. */
const wordsFor = (language: Language): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...wordsOf(language), ...brandHere()?.words[language] }).flatMap(([key, word]) =>
      key.startsWith(start)
        ? [[key.slice(start.length), word] as const]
        : isTold(key) && !word.includes(', plural')
          ? [[key, word] as const]
          : [],
    ),
  )

/** What the picture of a page is drawn with, before there is one. */
export async function wordsOfPage(ctx: Ctx, { language }: { language: Language }) {
  const { business, accent, hasLogo } = faceOf(await companyOf(ctx))
  return {
    words: wordsFor(language),
    business,
    accent,
    hasLogo,
    online: (await terminalFor(ctx)) !== undefined,
    wallets: await walletsOf(ctx),
  }
}

const dealOf = (kind: StoredPage['kind']) =>
  kind === 'hold' ? 'hold' : kind === 'subscription' ? 'card' : 'charge'

async function shownOf(ctx: Ctx, page: StoredPage, asked: string | undefined): Promise<ShownPage> {
  const items = await itemsOf(ctx, page.id)
  const content = contentOf(page, items)
  const company = await companyOf(ctx)
  const face = faceOf(company)
  const language = languageFor(content, asked)
  const terminal = await terminalFor(ctx, undefined, 'ILS', { deed: dealOf(page.kind) })
  const { rows } = await sql<{
    at: string
  }>`select updated_at as at from pay_page_pictures where company_id = ${ctx.companyId}
      and page_id = ${page.id}`.execute(ctx.tx)
  const base = `/api2/invoice/paymentpage/${page.page_key}`
  const byId = new Map(items.map((item) => [item.id, item]))
  return shownPage(content, {
    language,
    state: stateOf(page, items, ctx.now),
    business: face.business,
    brandAccent: face.accent,
    logo: face.hasLogo ? `${base}/logo` : '',
    picture: rows[0] ? `${base}/picture?v=${new Date(rows[0].at).getTime()}` : '',
    placesLeft: page.places === null ? null : page.places - page.places_taken,
    leftOf: (id) => {
      const item = byId.get(id)
      return !item || item.stock === null ? null : Math.max(0, item.stock - item.taken)
    },
    online: terminal !== undefined,
    test: terminal?.isTest ?? false,
    wallets: page.kind === 'charge' ? await walletsOf(ctx) : [],
  })
}

/** What a page is, for the person who opens it; counted by the day. */
export async function showPublic(
  ctx: OpenCtx,
  { key, language, framed }: { key: string; language?: string | undefined; framed?: '0' | '1' | undefined },
) {
  const row = await rowOfKey(ctx, ownerOf(key))
  return insideOf(ctx, row.company_id, async (within) => {
    const page = await pageOf(within, row.id)
    const shown = await shownOf(within, page, language)
    if (framed !== undefined)
      await sql`insert into pay_page_days (company_id, page_id, day, views, framed)
        values (${within.companyId}, ${page.id}, ${within.today}, 1, ${framed === '1' ? 1 : 0})
        on conflict (company_id, page_id, day) do update set views = pay_page_days.views + 1,
          framed = pay_page_days.framed + excluded.framed`.execute(within.tx)
    return { page: shown, words: wordsFor(shown.language), key, sites: page.sites }
  })
}

export const publicLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  inside(ctx, key, getLogo)
export const publicPicture = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  inside(ctx, key, getPicture)

/** Where a short address leads; undefined when nobody has it. */
export async function longPath(tx: OpenCtx['tx'], code: string): Promise<string | undefined> {
  const { rows } = await sql<{
    key: string
  }>`select page_key as key from pay_pages where short_code = ${code.toLowerCase()}`.execute(tx)
  return rows[0] && `/paymentpage/${rows[0].key}`
}

type Basket = Pick<z.output<typeof pricePage.input>, 'lines' | 'sumAgorot' | 'coupon'>

interface Sold {
  lines: Omit<StoredLine, 'no'>[]
  priced: Priced
  coupon: StoredCoupon | undefined
}

/** What is bought, worked out from the page and never from what was sent. */
async function soldOf(
  ctx: Ctx,
  page: StoredPage,
  items: readonly StoredItem[],
  language: Language,
  basket: Basket,
): Promise<Sold> {
  const lines =
    page.sum_kind === 'items' ? itemLines(items, page, language, basket) : [sumLine(page, language, basket)]
  const isCouponed = foldCode(basket.coupon) !== ''
  if (isCouponed && (!page.takes_coupons || page.sum_kind !== 'items'))
    throw failField('coupon', 'payPages.couponUnknown')
  const coupon = isCouponed ? await couponFor(ctx, basket.coupon, page.id) : undefined
  const priced = priceBasket(
    lines.map((line) => ({
      id: line.page_item_id ?? undefined,
      quantity: line.quantity,
      priceAgorot: line.price_agorot,
    })),
    coupon && termsOf(coupon),
  )
  if (priced.trouble)
    throw failField(
      'coupon',
      priced.trouble,
      priced.trouble === 'payPages.couponLeast'
        ? { sum: withCurrency(coupon!.least_agorot ?? 0, 'ILS', language) }
        : undefined,
    )
  if (priced.totalAgorot > mostCharge) throw failField('lines', 'payPages.sumRange')
  return {
    lines: lines.map((line, i) => ({ ...line, discount_agorot: priced.discounts[i]! })),
    priced,
    coupon,
  }
}

function itemLines(
  items: readonly StoredItem[],
  page: StoredPage,
  language: Language,
  { lines, sumAgorot }: Basket,
): Omit<StoredLine, 'no'>[] {
  if (sumAgorot) throw failField('sumAgorot', 'payPages.sumRange')
  const wanted = new Map<string, number>()
  for (const { id, quantity } of lines) wanted.set(id, (wanted.get(id) ?? 0) + quantity)
  for (const { id, is_fixed: isFixed } of items) if (isFixed && !wanted.has(id)) wanted.set(id, 1)
  const known = new Set(items.map(({ id }) => id))
  for (const id of wanted.keys()) if (!known.has(id)) throw failField('lines', 'payPages.itemGone')
  const sold = items.flatMap((item) => {
    const quantity = wanted.get(item.id)
    if (quantity === undefined) return []
    if (quantity > item.most_quantity) throw failField('lines', 'fields.range')
    return [
      {
        page_item_id: item.id,
        item_id: item.item_id,
        name: item.names[language] ?? item.names[page.language] ?? Object.values(item.names)[0]!,
        quantity,
        price_agorot: item.price_agorot,
        discount_agorot: 0,
      },
    ]
  })
  if (sold.length === 0) throw failField('lines', 'fields.need')
  return sold
}

function sumLine(page: StoredPage, language: Language, { lines, sumAgorot }: Basket): Omit<StoredLine, 'no'> {
  if (lines.length > 0) throw failField('lines', 'payPages.itemGone')
  if (!sumAgorot) throw failField('sumAgorot', 'fields.need')
  const [least, most] = [Math.max(page.least_agorot ?? 0, leastCharge), page.most_agorot ?? mostCharge]
  if (sumAgorot < least || sumAgorot > most)
    throw failField('sumAgorot', 'payPages.sumRange', { least: least / 100, most: most / 100 })
  return {
    page_item_id: null,
    item_id: null,
    name: titleOf(page, { language }),
    quantity: 1,
    price_agorot: sumAgorot,
    discount_agorot: 0,
  }
}

function checkOpen(page: StoredPage, items: readonly StoredItem[], now: Date, ownPlace: boolean): void {
  const state = stateOf(page, items, now)
  if (state === 'draft' || state === 'closed') throw fail('payPages.notOpen')
  if (state === 'over') throw fail('payPages.over')
  if (state === 'full' && !ownPlace)
    throw fail(
      page.places !== null && page.places_taken >= page.places ? 'payPages.full' : 'payPages.soldOut',
    )
}

export const price = (ctx: OpenCtx, { key, ...basket }: z.output<typeof pricePage.input>) =>
  inside(ctx, key, async (within, id) => {
    const page = await pageOf(within, id)
    const items = await itemsOf(within, id)
    checkOpen(page, items, within.now, true)
    const { priced, coupon } = await soldOf(within, page, items, page.language, basket)
    const first = page.kind === 'subscription' ? firstOf(page, priced, coupon).total : priced.totalAgorot
    return {
      grossAgorot: priced.grossAgorot,
      discountAgorot: priced.discountAgorot,
      totalAgorot: first,
      code: coupon?.code ?? '',
      firstOnly: coupon?.first_only ?? true,
    }
  })

/** The first charge of a subscription, and what comes off every charge. */
function firstOf(
  page: StoredPage,
  priced: Priced,
  coupon: StoredCoupon | undefined,
): { total: number; every: number; plan: Plan } {
  const everyOff = coupon && !coupon.first_only ? priced.discountAgorot : 0
  const every = priced.grossAgorot - everyOff
  const first =
    page.first_price_agorot !== null && page.first_price_agorot < every ? page.first_price_agorot : every
  // A coupon for the first charge comes off what the first charge would have been, and leaves something of
  // it.
  const total = coupon?.first_only ? Math.max(leastCharge, first - priced.discountAgorot) : first
  return {
    total,
    every,
    plan: {
      everyN: page.every_n,
      billingDay: page.billing_day,
      chargeToday: page.charge_today,
      firstPriceAgorot: total < every ? total : null,
      trialDays: page.trial_days,
      times: page.times,
      everyDiscountAgorot: everyOff,
    },
  }
}

type Begin = z.output<typeof beginPage.input>

function checkPayer(page: StoredPage, { payer }: Begin): void {
  const needs = [
    ['email', page.asks_email],
    ['phone', page.asks_phone],
    ['taxId', page.asks_tax_id],
  ] as const
  for (const [name, ask] of needs)
    if (ask === 'must' && !payer[name]) throw failField(`payer.${name}`, 'fields.need')
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** What was filled in, as the page asks for it; anything else is dropped. */
function answersOf(page: StoredPage, given: Begin['answers']): StoredPurchase['answers'] {
  const answers: StoredPurchase['answers'] = {}
  for (const { key, kind, must, choices } of page.fields) {
    const value = given[key]
    const path = `answers.${key}`
    const isEmpty = value === undefined || value === '' || value === false
    if (isEmpty) {
      if (must) throw failField(path, kind === 'tick' ? 'payPages.agreeFirst' : 'fields.need')
      continue
    }
    if (kind === 'tick') {
      if (value !== true) throw failField(path, 'fields.choice')
      answers[key] = true
    } else if (kind === 'number') {
      const number = Number(value)
      if (typeof value === 'boolean' || !Number.isFinite(number) || Math.abs(number) > 1e12)
        throw failField(path, 'fields.number')
      answers[key] = number
    } else {
      if (typeof value !== 'string') throw failField(path, 'fields.text')
      if (kind === 'choice') {
        const at = Number(value)
        if (!Number.isInteger(at) || at < 0 || at >= (choices[page.language] ?? []).length)
          throw failField(path, 'fields.choice')
      }
      if (kind === 'day' && !isDay(value)) throw failField(path, 'fields.day')
      if (kind === 'file' && !isUuid(value)) throw failField(path, 'payPages.fileGone')
      if (kind === 'text' && value.length > 300) throw failField(path, 'fields.tooLong')
      answers[key] = value.trim()
    }
  }
  return answers
}

/** A file of the visitor of the page, as long as it can be paid with. */
export const addFile = (ctx: OpenCtx, { key, ...file }: z.output<typeof addPageFile.input>) =>
  inside(ctx, key, async (within, id) => {
    const page = await pageOf(within, id)
    checkOpen(page, await itemsOf(within, id), within.now, false)
    return takeFile(within, page, file)
  })

/** Whether a second press asks for the very same, whose form is still open. */
async function isAsBefore(
  ctx: Ctx,
  before: StoredPurchase,
  { lines, coupon }: NewPurchase,
  total: number,
): Promise<boolean> {
  if (before.total_agorot !== total || before.coupon_id !== (coupon?.id ?? null)) return false
  const had = await linesOf(ctx, before.id)
  return (
    lines.length === had.length &&
    lines.every(
      (line, i) =>
        line.page_item_id === had[i]!.page_item_id &&
        line.quantity === had[i]!.quantity &&
        line.price_agorot === had[i]!.price_agorot,
    )
  )
}

/** Keeps what was chosen for fifteen minutes, and opens the form for it. */
export async function begin(ctx: OpenCtx, given: Begin) {
  const { key } = given
  const row = await rowOfKey(ctx, ownerOf(key))
  const work = async (within: Ctx) => {
    const page = await pageOf(within, row.id, true)
    await freePast(within, page.id)
    const { rows: mine } =
      await sql<StoredPurchase>`select * from pay_purchases where company_id = ${within.companyId}
          and page_id = ${page.id}
      and visit = ${given.visit} and state = 'begun' for update`.execute(within.tx)
    const [before] = mine
    const fresh = await pageOf(within, page.id)
    const items = await itemsOf(within, page.id)
    checkOpen(fresh, items, within.now, before !== undefined)
    const language = languageFor(contentOf(page, items), given.language)
    // What this buyer holds counts as free when the buyer is counted again.
    await sql`savepoint again`.execute(within.tx)
    if (before) await freePurchase(within, before)
    const sold = await soldOf(within, page, await itemsOf(within, page.id), language, given)
    const first = page.kind === 'subscription' ? firstOf(page, sold.priced, sold.coupon) : undefined
    const total = first?.total ?? sold.priced.totalAgorot
    if (total !== given.seenAgorot)
      throw fail('payPages.sumChanged', { sum: withCurrency(total, 'ILS', language) })
    if (given.wallet && (page.kind !== 'charge' || !takesWallet(given.wallet, total)))
      throw fail('payPages.noWallet')
    checkPayer(page, given)
    const answers = answersOf(page, given.answers)
    await checkFiles(within, page, given.visit, answers)
    const terms = page.texts[language]?.terms || page.texts[page.language]?.terms || ''
    if ((page.must_agree || page.kind === 'subscription') && !given.agrees)
      throw failField('agrees', 'payPages.agreeFirst')
    const purchase: NewPurchase = {
      page,
      visit: given.visit,
      language,
      payer: given.payer,
      answers,
      terms: given.agrees ? terms || say(language, 'payPages.public.agreeSubscription') : '',
      lines: sold.lines,
      grossAgorot: sold.priced.grossAgorot,
      // For a subscription this is the first charge.
      discountAgorot: sold.priced.grossAgorot - total,
      plan: first?.plan ?? null,
      coupon: sold.coupon,
      site: given.framed ? given.site : '',
      wallet: given.wallet,
      utm: given.utm,
    }
    const { coupon, discountAgorot } = purchase
    if (coupon && !(await isWithin(within, couponKind, coupon.id, 'discount', { agorot: discountAgorot })))
      return 'coupon' as const
    if (before && (await isAsBefore(within, before, purchase, total))) {
      await sql`rollback to savepoint again`.execute(within.tx)
      await setPurchase(within, before.id, {
        payer: JSON.stringify(given.payer),
        answers: JSON.stringify(answers),
      })
      const charge = await planCharge(within, page, before.id, purchase, total)
      // By another means it is another form.
      await setPurchase(within, before.id, { charge_id: charge })
      return charge
    }
    const documentType = await typeOfPage(within, page, purchase.lines)
    if (!(await isWithin(within, pageKind, page.id, 'collect', { agorot: total, documentType })))
      return undefined
    await checkReserve(within, purchase)
    const made = await beginPurchase(within, purchase)
    const charge = await planCharge(within, page, made, purchase, total)
    await setPurchase(within, made, { charge_id: charge })
    return charge
  }
  // Who buys from a page holds its row: the others wait without a connection.
  const chargeId = await ctx.app.db.turns.take(
    `payPage ${row.id}`,
    () => insideOf(ctx, row.company_id, work),
    ctx.gone,
  )
  if (chargeId === undefined) throw fail('paymentLinks.off')
  if (chargeId === 'coupon') throw failField('coupon', 'payPages.couponOver')
  const { url } = await openPage(ctx.app, row.company_id, chargeId)
  return { url, chargeId }
}

async function planCharge(
  ctx: Ctx,
  page: StoredPage,
  id: string,
  purchase: NewPurchase,
  total: number,
): Promise<string> {
  const { language, payer } = purchase
  const title = titleOf(page, purchase)
  const isCard = page.kind === 'subscription'
  const { wallet } = purchase
  const terminal = isCard
    ? undefined
    : await terminalFor(ctx, total, 'ILS', { deed: dealOf(page.kind), wallet })
  if (wallet && !terminal) throw fail('payPages.noWallet')
  const { name } = await companyOf(ctx)
  return planPage(await asOrdered(ctx, pageKind, page.id), {
    purpose: pagePurpose,
    deed: dealOf(page.kind),
    subjectId: id,
    linkId: null,
    documentId: null,
    customerId: null,
    agorot: isCard ? 0 : total,
    ...(isCard ? { consent: say(language, 'payPages.consent', { business: name, title }) } : {}),
    description: title,
    wallet,
    mostInstalments:
      page.kind === 'charge' && terminal && !wallet
        ? Math.min(page.most_instalments, mostInstalmentsOf(terminal, total))
        : 1,
    payer: {
      name: payer.name,
      ...(payer.email ? { email: payer.email } : {}),
      ...(payer.phone ? { phone: payer.phone } : {}),
      ...(payer.taxId ? { taxId: payer.taxId } : {}),
    },
    language,
    page: `${siteOf(ctx.app)}/paymentpage/${page.page_key}`,
  })
}

type Checked = z.output<typeof checkPage.output>

const outcomes: Readonly<Record<string, Checked['state']>> = {
  begun: 'open',
  declined: 'declined',
  unknown: 'inDoubt',
  needsPerson: 'inDoubt',
  paid: 'paid',
  held: 'held',
  saved: 'subscribed',
  released: 'lapsed',
  lapsed: 'lapsed',
}

/** What became of a payment by this page, and of no other. */
export async function check(
  ctx: OpenCtx,
  { key, charge: chargeId, told }: z.output<typeof checkPage.input>,
): Promise<Checked> {
  const row = await rowOfKey(ctx, ownerOf(key))
  await insideOf(ctx, row.company_id, (within) => purchaseOfCharge(within, row.id, chargeId))
  if (!(await settleCharge(ctx.app, row.company_id, chargeId, 'return', told)))
    throw fail('paymentLinks.acquirerAway')
  return insideOf(ctx, row.company_id, async (within) => {
    const page = await pageOf(within, row.id)
    const purchase = await purchaseOfCharge(within, row.id, chargeId)
    const charge = await chargeOf(within, chargeId)
    const state = charge.surplus || purchase.state === 'surplus' ? 'surplus' : outcomes[charge.state]!
    const { rows } = charge.paper_id
      ? await sql<{
          key: string
          type: number
          number: number
          opening: string | null
        }>`select page_key as key, type, number, null as opening from documents
          where company_id = ${within.companyId} and id = ${charge.paper_id}`.execute(within.tx)
      : { rows: [] }
    const [paper] = rows
    const { rows: orders } = purchase.order_id
      ? await sql<{
          key: string
        }>`select page_key as key from standing_orders where company_id = ${within.companyId}
            and id = ${purchase.order_id}`.execute(within.tx)
      : { rows: [] }
    const isDone = state === 'paid' || state === 'held' || state === 'subscribed'
    return {
      state,
      code: charge.decline_code,
      sumAgorot: purchase.total_agorot,
      paper:
        paper && documentTypeById(paper.type)
          ? {
              key: paper.key,
              type: paper.type,
              number: paper.number,
              name: nameOfPaper(purchase.language, paper),
            }
          : null,
      orderUrl: orders[0] ? `/retainer/${orders[0].key}` : '',
      thanksUrl:
        isDone && page.thanks_url
          ? thanksOf(within, page, {
              purchase: purchase.id,
              state,
              sum: charge.amount_agorot || purchase.total_agorot,
            })
          : '',
    }
  })
}
