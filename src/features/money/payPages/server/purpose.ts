import { sql } from 'kysely'
import { documentTypes, vatKinds, type VatKind } from '#domain/documents/kinds.ts'
import type { MoneyReceived } from '#domain/documents/needed.ts'
import { formatDay, formatMoney, withCurrency } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'
import {
  issuePrepared,
  neededByCard,
  prepareDocument,
  sendDocument,
  type Prepared,
} from '#features/sales/documents/server/index.ts'
import { registerPurpose, type Card, type Charge } from '#features/money/acquirers/server/index.ts'
import { issueFor, linesOfAmount } from '#features/money/paymentLinks/server/index.ts'
import { cancelStandingOrder, createStandingOrder } from '#features/money/standingOrders/server/index.ts'
import { orderInput, type OrderLine } from '#features/money/standingOrders/endpoints.ts'
import { endUse } from './coupons.ts'
import { keepFiles, looseFiles } from './files.ts'
import {
  boughtBy,
  freePurchase,
  linesOf,
  purchaseOf,
  regain,
  setPurchase,
  type StoredLine,
  type StoredPurchase,
} from './purchase.ts'
import { pageOf, type StoredPage } from './store.ts'

export const pagePurpose = 'payPage'

/** The page first, then what is bought by it: the person who takes both locks takes them in this order. */
async function lockedOf(ctx: Ctx, charge: Charge): Promise<{ page: StoredPage; purchase: StoredPurchase }> {
  const { page_id: pageId } = await purchaseOf(ctx, charge.subject_id!)
  const page = await pageOf(ctx, pageId, true)
  return { page, purchase: await purchaseOf(ctx, charge.subject_id!, true) }
}

/** A sum with VAT as a unit price. */
const priceOf = (agorot: number): string => formatMoney(agorot).replaceAll(',', '')

type SoldAs = (line: Pick<StoredLine, 'item_id'>) => { vatKind: 2 | 3 | 4; sku: string }

/**
 * What items of the catalogue say of lines. A price is what is paid; of an item that bears no VAT none is in
 * it.
 */
export async function soldAs(ctx: Ctx, lines: readonly Pick<StoredLine, 'item_id'>[]): Promise<SoldAs> {
  const ids = lines.flatMap(({ item_id: id }) => id ?? [])
  const { rows } = ids.length
    ? await sql<{ id: string; kind: VatKind; sku: string | null }>`select id, vat_kind as kind, sku from items
        where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
    : { rows: [] }
  const known = new Map(rows.map((row) => [row.id, row]))
  return ({ item_id: id }) => {
    const { kind, sku } = known.get(id ?? '') ?? {}
    return {
      vatKind: kind === 'withoutVat' || kind === 'trustDeposit' ? vatKinds[kind] : vatKinds.includingVat,
      sku: sku ?? '',
    }
  }
}

/** Of lines told as one: theirs where they are alike, else the sum is one with VAT. */
const vatOfAll = (lines: readonly StoredLine[], as: SoldAs): 2 | 3 | 4 => {
  const [one, ...others] = new Set(lines.map((line) => as(line).vatKind))
  return one === undefined || others.length ? vatKinds.includingVat : one
}

/** What lines come to in each VAT kind, after what came off each. */
const soldIn = (lines: readonly StoredLine[], as: SoldAs) =>
  lines.map((line) => ({
    vatKind: as(line).vatKind,
    agorot: line.quantity * line.price_agorot - line.discount_agorot,
  }))

/** The lines as they were sold, with what came off each; lines of the amount where they do not come to it. */
async function invoiceOf(
  ctx: Ctx,
  charge: Charge,
  base: object,
  lines: readonly StoredLine[],
  title: string,
  isWhole: boolean,
): Promise<Prepared> {
  const as = await soldAs(ctx, lines)
  const prepare = (of: object[]) =>
    prepareDocument(ctx, { ...base, rounding: 'none', lines: of } as never, { exactly: charge.amount_agorot })
  if (isWhole && lines.length) {
    const prepared = await prepare(
      lines.map((line) => ({
        ...(line.item_id ? { itemId: line.item_id } : {}),
        description: line.name,
        quantity: String(line.quantity),
        unitPrice: priceOf(line.price_agorot),
        ...as(line),
        ...(line.discount_agorot ? { discount: { agorot: line.discount_agorot } } : {}),
      })),
    )
    if (prepared.totals.total === charge.amount_agorot) return prepared
  }
  return prepare(linesOfAmount(title, charge.amount_agorot, soldIn(lines, as)))
}

/**
 * What a purchase brings: a donation, where the page is for them; a deposit, where all that was chosen is held for its
 * owner; else the price of what is sold.
 */
async function broughtBy(
  ctx: Ctx,
  page: StoredPage,
  lines: readonly Pick<StoredLine, 'item_id'>[],
): Promise<MoneyReceived['for']> {
  if (page.paper === 'donation') return 'donation'
  const as = await soldAs(ctx, lines)
  return lines.length > 0 && lines.every((line) => as(line).vatKind === vatKinds.trustDeposit)
    ? 'deposit'
    : 'sale'
}

/**
 * The type of the document that a purchase is given; undefined for a subscription, whose standing order names its own.
 */
export async function typeOfPage(
  ctx: Ctx,
  page: StoredPage,
  lines: readonly Pick<StoredLine, 'item_id'>[],
): Promise<number | undefined> {
  if (page.kind === 'subscription') return undefined
  return documentTypes[await neededByCard(ctx, { for: await broughtBy(ctx, page, lines), pays: 'nothing' })]
    .id
}

/** The document of what was bought, with its lines; a donation and a deposit have none. */
async function issue(
  ctx: Ctx,
  charge: Charge,
): Promise<{ id: string; number: number; customerId: string | null }> {
  const purchase = await purchaseOf(ctx, charge.subject_id!)
  const page = await pageOf(ctx, purchase.page_id)
  const title = titleOf(page, purchase)
  const lines = await linesOf(ctx, purchase.id)
  const document = await neededByCard(ctx, { for: await broughtBy(ctx, page, lines), pays: 'nothing' })
  if (document === 'donationReceipt')
    return issueFor(ctx, charge, {
      description: title,
      paper: page.paper === 'donation' ? 'donation' : 'usual',
      customer_id: null,
      email: null,
    })
  const { name, email, phone, taxId } = purchase.payer
  const base = {
    type: documentTypes[document].id,
    customer: { name, ...(email ? { email } : {}), ...(phone ? { phone } : {}), ...(taxId ? { taxId } : {}) },
    language: charge.language,
    subject: title,
    payments: [
      {
        means: 4,
        amountAgorot: charge.amount_agorot,
        ...(charge.instalments && charge.instalments > 1 ? { instalments: charge.instalments } : {}),
        cardBrand: charge.card_brand,
        cardLast4: charge.card_last4,
        number: charge.approval,
        reference: charge.uid,
      },
    ],
    closes: [],
  }
  const isWhole = charge.amount_agorot === purchase.total_agorot
  const prepared =
    document === 'depositReceipt'
      ? await prepareDocument(ctx, { ...base, lines: [] } as never, { exactly: charge.amount_agorot })
      : await invoiceOf(ctx, charge, base, lines, title, isWhole)
  const issued = await issuePrepared(ctx, prepared)
  if (email) await sendDocument(ctx, { id: issued.id, to: email, attach: true })
  return { ...issued, customerId: prepared.customerId }
}

export const titleOf = (page: StoredPage, purchase: Pick<StoredPurchase, 'language'>): string =>
  page.texts[purchase.language]?.title ?? page.title

/** The person who is to be told hears of it by mail, in the language of the business. */
async function tellPeople(
  ctx: Ctx,
  page: StoredPage,
  purchase: StoredPurchase,
  what: 'paid' | 'held' | 'subscribed',
  agorot: number,
): Promise<void> {
  const { language } = await companyOf(ctx)
  const values = {
    page: page.title,
    name: purchase.payer.name,
    sum: withCurrency(agorot, 'ILS', language),
    day: formatDay(dayInJerusalem(ctx.now)),
    link: `${siteOf(ctx.app)}/invoice/paypages/${page.id}`,
  }
  for (const to of page.told) {
    const messageId = newId()
    await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body)
      values (${ctx.companyId}, ${messageId}, 'paymentLink', 'mail', ${to},
        ${say(language, `payPages.mail.${what}.subject`, values)},
        ${say(language, `payPages.mail.${what}.text`, values)})`.execute(ctx.tx)
    await ctx.later('letters.mail', { messageId })
  }
}

/** A new customer, whom nobody typed in: an unverified person never changes a known customer. */
async function customerOf(ctx: Ctx, { payer, language }: StoredPurchase): Promise<string> {
  const { rows } = payer.taxId
    ? await sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'customer'
        and tax_id = ${payer.taxId}`.execute(ctx.tx)
    : { rows: [] }
  const made = await createCustomer(ctx, {
    name: payer.name,
    language,
    ...(payer.email ? { email: payer.email } : {}),
    ...(payer.phone ? { phone: payer.phone } : {}),
    // A number belongs to one customer only.
    ...(payer.taxId && !rows.length ? { taxId: payer.taxId } : {}),
  })
  return made.id
}

/** What a subscription is charged for: its lines, or one of their sum where a coupon lowers each charge. */
export const orderLines = (
  title: string,
  lines: readonly StoredLine[],
  everyOff: number,
  as: SoldAs,
): OrderLine[] =>
  everyOff
    ? [
        {
          description: title,
          quantity: '1',
          unitPrice: priceOf(
            lines.reduce((sum, line) => sum + line.quantity * line.price_agorot, 0) - everyOff,
          ),
          vatKind: vatOfAll(lines, as),
        },
      ]
    : lines.map((line) => ({
        ...(line.item_id ? { itemId: line.item_id } : {}),
        description: line.name,
        quantity: String(line.quantity),
        unitPrice: priceOf(line.price_agorot),
        vatKind: as(line).vatKind,
      }))

/**
 * The standing order that was agreed to begins with the card that was kept; what is due today is charged
 * behind the commit.
 */
async function begin(ctx: Ctx, purchase: StoredPurchase, page: StoredPage, card: Card): Promise<void> {
  const plan = purchase.plan!
  const company = await companyOf(ctx)
  const lines = await linesOf(ctx, purchase.id)
  const gross = lines.reduce((sum, line) => sum + line.quantity * line.price_agorot, 0)
  const every = gross - plan.everyDiscountAgorot
  const title = titleOf(page, purchase)
  // What is paid again and again is no deposit.
  const document = await neededByCard(ctx, {
    for: page.paper === 'donation' ? 'donation' : 'sale',
    pays: 'nothing',
  })
  const given = orderInput.parse({
    title,
    customerId: purchase.customer_id!,
    means: 'card',
    cardId: card.id,
    documentType: documentTypes[document].id,
    language: purchase.language,
    startDay: ctx.today,
    everyN: plan.everyN,
    unit: 'month',
    billingDay: plan.billingDay,
    chargeToday: plan.chargeToday,
    trialDays: plan.trialDays,
    ...(plan.times ? { times: plan.times } : {}),
    ...(plan.firstPriceAgorot !== null && plan.firstPriceAgorot < every
      ? { firstPriceAgorot: plan.firstPriceAgorot }
      : {}),
    partyKind: purchase.payer.taxId ? undefined : 'consumer',
    mayCancel: true,
    send: purchase.payer.email ? 'mail' : purchase.payer.phone ? 'sms' : 'none',
    lines: orderLines(title, lines, plan.everyDiscountAgorot, await soldAs(ctx, lines)),
  })
  const orderId = await createStandingOrder(ctx, given)
  // The person who pays for the product itself has one plan: the one before ends as the next begins.
  const payerKey = ctx.companyId === ctx.app.settings.billingCompany ? purchase.utm.utm_business : undefined
  for (const before of payerKey ? await boughtBy(ctx, payerKey) : [])
    if (!before.isOver && before.orderId !== orderId)
      await cancelStandingOrder(ctx, {
        id: before.orderId,
        when: 'now',
        reason: say(company.language, 'billing.changedTo', { title }),
        notify: true,
      })
  await setPurchase(ctx, purchase.id, {
    state: 'subscribed',
    order_id: orderId,
    held_until: null,
    paid_at: ctx.now,
  })
  await endUse(ctx, purchase.id, 'used')
  await keepFiles(ctx, page, purchase)
  await ctx.audit('payPurchases.subscribe', 'payPurchases', purchase.id, undefined, {
    pageId: page.id,
    orderId,
  })
  await tellPeople(ctx, page, purchase, 'subscribed', purchase.total_agorot)
}

registerPurpose(pagePurpose, {
  lock: async (ctx, charge) => void (await lockedOf(ctx, charge)),
  isDue: async (ctx, charge) => {
    const purchase = await purchaseOf(ctx, charge.subject_id!)
    const isDue =
      (purchase.state === 'begun' || purchase.state === 'held' || purchase.state === 'freed') &&
      (await regain(ctx, purchase))
    if (!isDue && purchase.state === 'freed') await setPurchase(ctx, purchase.id, { state: 'surplus' })
    return isDue
  },
  issue,
  paid: async (ctx, charge) => {
    const { page, purchase } = await lockedOf(ctx, charge)
    await setPurchase(ctx, purchase.id, {
      state: 'paid',
      charge_id: charge.id,
      paid_at: ctx.now,
      held_until: null,
      instalments: charge.instalments ?? 1,
      ...(charge.amount_agorot < purchase.total_agorot ? { taken_agorot: charge.amount_agorot } : {}),
    })
    await endUse(ctx, purchase.id, 'used')
    await keepFiles(ctx, page, purchase)
    await ctx.audit('payPurchases.pay', 'payPurchases', purchase.id, undefined, {
      pageId: page.id,
      amountAgorot: charge.amount_agorot,
    })
    await tellPeople(ctx, page, purchase, 'paid', charge.amount_agorot)
  },
  held: async (ctx, charge) => {
    const { page, purchase } = await lockedOf(ctx, charge)
    if (!(await regain(ctx, purchase))) {
      // What it was for went to somebody else: the money is let go behind the commit.
      await setPurchase(ctx, purchase.id, { state: 'surplus', held_until: null })
      return void (await ctx.later('payPages.release', { chargeId: charge.id }))
    }
    await setPurchase(ctx, purchase.id, {
      state: 'held',
      charge_id: charge.id,
      held_until: charge.held_until,
      paid_at: ctx.now,
    })
    await endUse(ctx, purchase.id, 'used')
    await keepFiles(ctx, page, purchase)
    await ctx.audit('payPurchases.hold', 'payPurchases', purchase.id, undefined, {
      pageId: page.id,
      amountAgorot: charge.amount_agorot,
    })
    await tellPeople(ctx, page, purchase, 'held', charge.amount_agorot)
  },
  released: async (ctx, charge) => {
    const { purchase } = await lockedOf(ctx, charge)
    if (purchase.state !== 'held') return
    await freePurchase(ctx, purchase, 'released')
    await looseFiles(ctx, purchase.id)
    await ctx.audit('payPurchases.release', 'payPurchases', purchase.id)
  },
  forWhom: async (ctx, charge) => {
    const { purchase } = await lockedOf(ctx, charge)
    if (purchase.kind !== 'subscription' || (purchase.state !== 'begun' && purchase.state !== 'freed'))
      return null
    if (!(await regain(ctx, purchase))) {
      await setPurchase(ctx, purchase.id, { state: 'surplus' })
      return null
    }
    const customerId = await customerOf(ctx, purchase)
    await setPurchase(ctx, purchase.id, { customer_id: customerId })
    return customerId
  },
  kept: async (ctx, charge, card) => {
    const { page, purchase } = await lockedOf(ctx, charge)
    if (purchase.state !== 'begun' || !purchase.customer_id) return
    await begin(ctx, purchase, page, card)
  },
})

/** The purchase a charge belongs to, for what only its page may ask about. */
export async function purchaseOfCharge(ctx: Ctx, pageId: string, chargeId: string): Promise<StoredPurchase> {
  const { rows } =
    await sql<StoredPurchase>`select p.* from charges c join pay_purchases p on p.company_id = c.company_id
        and p.id = c.subject_id
      where c.company_id = ${ctx.companyId} and c.id = ${chargeId} and c.purpose = ${pagePurpose}
        and p.page_id = ${pageId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}
