import { sql } from 'kysely'
import { addDays, momentAt } from '#domain/day.ts'
import { ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { chargeKind, setCharge, take, testRow } from '#features/money/acquirers/server/index.ts'
import { orderInput } from '#features/money/standingOrders/endpoints.ts'
import { createStandingOrder } from '#features/money/standingOrders/server/index.ts'
import { pageInput, payerInput, type PageInput } from '../endpoints.ts'
import { createCoupon } from './coupons.ts'
import { beginPurchase, freePast, setPurchase } from './purchase.ts'
import { pagePurpose } from './purpose.ts'
import { createPage, itemsOf, openPage, pageOf } from './store.ts'

/** A page with one line: what somebody attached. */
function proof(): Buffer {
  const text = 'BT /F1 20 Tf 40 90 Td (Student card 2026) Tj ET'
  const parts = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 180]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let body = '%PDF-1.4\n'
  const places = parts.map((part, i) => {
    const at = body.length
    body += `${i + 1} 0 obj${part}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  return Buffer.from(
    `${body}xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

/**
 * Payment pages of a demo business: a course with few places and its payers, a deposit that is held, a
 * subscription; and coupons.
 */
export async function addPayPages(ctx: Ctx): Promise<void> {
  const terminal = await testRow(ctx)
  if (!terminal) return
  const item = (
    he: string,
    en: string,
    priceAgorot: number,
    more: Partial<PageInput['items'] extends (infer I)[] | undefined ? I : never> = {},
  ) => ({
    id: newId(),
    names: { he, en },
    priceAgorot,
    ...more,
  })
  const make = async (given: PageInput) => {
    const { id } = await createPage(ctx, pageInput.parse(given))
    await openPage(ctx, id)
    return id
  }
  const course = await make({
    kind: 'charge',
    texts: {
      he: {
        title: 'סדנת חשמל ביתי',
        text: 'ערב אחד, ארבע שעות, כל הכלים אצלנו. מספר המקומות מוגבל.',
        thanks: 'נתראה בסדנה!',
        terms: 'ביטול עד שבוע לפני הסדנה: החזר מלא. אחר כך: החזר של מחצית.',
      },
      en: {
        title: 'Home electricity workshop',
        text: 'One evening, four hours, all tools are ours. Places are few.',
        thanks: 'See you there!',
        terms: 'Cancelled up to a week before: all of it back. After that: half.',
      },
    },
    items: [
      item('מקום בסדנה', 'A place', 38_000, { mostQuantity: 4, stock: 24, isFixed: true }),
      item('ערכת כלים', 'Tool kit', 12_500, { mostQuantity: 2, stock: 10 }),
    ],
    fields: [
      {
        key: 'level',
        kind: 'choice',
        labels: { he: 'ניסיון קודם', en: 'Experience' },
        choices: { he: ['אין', 'מעט', 'הרבה'], en: ['None', 'Some', 'Much'] },
      },
      {
        key: 'proof',
        kind: 'file',
        labels: { he: 'תעודת סטודנט, למי שיש', en: 'Student card, if you have one' },
      },
    ],
    mustAgree: true,
    mostInstalments: 3,
    places: 20,
    closesAt: momentAt(addDays(ctx.today, 21), 0).toISOString(),
  })
  await make({
    kind: 'hold',
    texts: {
      he: { title: 'פיקדון על גנרטור', text: 'הסכום נתפס בכרטיס ומשתחרר כשהגנרטור חוזר.' },
      en: { title: 'Deposit for a generator' },
    },
    items: [item('פיקדון', 'Deposit', 150_000, { isFixed: true })],
    asksPhone: 'must',
  })
  const plan = await make({
    kind: 'subscription',
    texts: {
      he: { title: 'מנוי שירות לבית', text: 'ביקור בדיקה פעמיים בשנה וקריאות דחופות ללא תשלום.' },
      en: { title: 'Home service plan' },
    },
    items: [item('מנוי חודשי', 'Monthly plan', 8_900, { isFixed: true })],
    firstPriceAgorot: 4_900,
    billingDay: 1,
  })
  await createPage(
    ctx,
    pageInput.parse({
      kind: 'charge',
      texts: { he: { title: 'תשלום חופשי' } },
      sumKind: 'suggested',
      suggested: [10_000, 20_000, 50_000],
      leastAgorot: 1_000,
    } satisfies PageInput),
  )
  const terms = { itemIds: [], firstOnly: true }
  await createCoupon(ctx, {
    ...terms,
    code: 'HAVERA',
    name: 'חבר מביא חבר',
    kind: 'percent',
    valueBp: 1_000,
    usesMax: 50,
    perCustomer: 1,
  })
  await createCoupon(ctx, {
    ...terms,
    code: 'SADNA50',
    name: 'השקה',
    kind: 'sum',
    valueAgorot: 5_000,
    pageId: course,
    toDay: addDays(ctx.today, 14),
    leastAgorot: 30_000,
  })

  const [place, kit] = await itemsOf(ctx, course)
  const pay = async (
    name: string,
    email: string,
    quantity: number,
    withKit: boolean,
    isPaid: boolean,
    hasFile = false,
  ) => {
    const visit = crypto.randomUUID()
    const file = hasFile ? newId() : undefined
    const bytes = proof()
    if (file)
      await sql`insert into pay_page_files (company_id, id, page_id, visit, field, name, mime, size, bytes,
          created_at)
        values (${ctx.companyId}, ${file}, ${course}, ${visit}, 'proof', 'תעודת סטודנט.pdf',
          'application/pdf', ${bytes.length}, ${bytes}, ${ctx.now})`.execute(ctx.tx)
    const lines = [
      {
        page_item_id: place!.id,
        item_id: null,
        name: 'מקום בסדנה',
        quantity,
        price_agorot: place!.price_agorot,
        discount_agorot: 0,
      },
      ...(withKit
        ? [
            {
              page_item_id: kit!.id,
              item_id: null,
              name: 'ערכת כלים',
              quantity: 1,
              price_agorot: kit!.price_agorot,
              discount_agorot: 0,
            },
          ]
        : []),
    ]
    const sum = lines.reduce((all, line) => all + line.quantity * line.price_agorot, 0)
    const id = await beginPurchase(ctx, {
      page: await pageOf(ctx, course, true),
      visit,
      language: 'he',
      payer: payerInput.parse({ name, email }),
      answers: { level: '1', ...(file ? { proof: file } : {}) },
      terms: 'ביטול עד שבוע לפני הסדנה: החזר מלא. אחר כך: החזר של מחצית.',
      lines,
      grossAgorot: sum,
      discountAgorot: 0,
      plan: null,
      coupon: undefined,
      site: '',
      utm: {},
    })
    const charge = newId()
    const reference = `T${newToken().slice(0, 22)}`
    await sql`insert into charges (company_id, id, purpose, subject_id, terminal_id, reference, amount_agorot,
        most_instalments, payer, description, lapses_at)
      values (${ctx.companyId}, ${charge}, ${pagePurpose}, ${id}, ${terminal.id}, ${reference}, ${sum}, 3,
        ${JSON.stringify({ name, email })}, 'סדנת חשמל ביתי', ${ctx.now})`.execute(ctx.tx)
    await ordered(ctx, chargeKind, charge)
    await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, most_instalments,
        description, language, return_to, state, expires_at)
      values (${ctx.companyId}, ${reference}, ${charge}, ${sum}, 3, '-', 'he', '/', 'paid',
        ${ctx.now})`.execute(ctx.tx)
    await setPurchase(ctx, id, { charge_id: charge })
    if (isPaid)
      await take(ctx, charge, {
        is: 'paid',
        uid: reference,
        key: undefined,
        form: reference,
        agorot: sum,
        currency: 'ILS',
        brand: 'visa',
        last4: '4242',
        instalments: 1,
        approval: '310877',
      })
    else {
      await setCharge(ctx, charge, { state: 'lapsed', ask_at: null })
      await setPurchase(ctx, id, { held_until: ctx.now })
    }
  }
  await pay('רוני אלמוג', 'roni@example.com', 1, true, true)
  await pay('טל שגב', 'tal@example.com', 2, false, true, true)
  await pay('עדי נחום', 'adi@example.com', 1, false, false)
  await freePast(ctx, course)
  await showSubscribers(ctx, plan)
  for (let back = 0; back < 10; back++)
    await sql`insert into pay_page_days (company_id, page_id, day, views, framed)
      values (${ctx.companyId}, ${course}, ${addDays(ctx.today, -back)}, ${4 + ((back * 7) % 9)}, 0)`.execute(
      ctx.tx,
    )
}

/**
 * Some customers who subscribed: one in a free trial, one for so many months, one whose year is nearly over. Nothing
 * of it is charged on the day itself.
 */
async function showSubscribers(ctx: Ctx, pageId: string): Promise<void> {
  const { rows: people } = await sql<{
    id: string
    name: string
    email: string | null
  }>`select id, name, email from parties
    where company_id = ${ctx.companyId} and role = 'customer' and archived_at is null and merged_into is null
    order by created_at, id limit 3`.execute(ctx.tx)
  const page = await pageOf(ctx, pageId, true)
  const [sold] = await itemsOf(ctx, pageId)
  const terms = [
    { trialDays: 30 },
    { trialDays: 14, times: 12 },
    { trialDays: 10, untilDay: addDays(ctx.today, 26) },
  ]
  for (const [i, person] of people.entries()) {
    const id = await beginPurchase(ctx, {
      page,
      visit: crypto.randomUUID(),
      language: 'he',
      payer: payerInput.parse({ name: person.name, ...(person.email ? { email: person.email } : {}) }),
      answers: {},
      terms: '',
      lines: [
        {
          page_item_id: sold!.id,
          item_id: null,
          name: 'מנוי חודשי',
          quantity: 1,
          price_agorot: sold!.price_agorot,
          discount_agorot: 0,
        },
      ],
      grossAgorot: sold!.price_agorot,
      discountAgorot: 0,
      plan: {
        everyN: 1,
        billingDay: 1,
        chargeToday: false,
        firstPriceAgorot: null,
        trialDays: terms[i]!.trialDays,
        times: terms[i]!.times ?? null,
        everyDiscountAgorot: 0,
      },
      coupon: undefined,
      site: '',
      utm: {},
    })
    const orderId = await createStandingOrder(
      ctx,
      orderInput.parse({
        title: page.title,
        customerId: person.id,
        startDay: ctx.today,
        billingDay: 1,
        documentType: 8,
        send: 'none',
        partyKind: 'consumer',
        lines: [{ description: `${page.title} {month} {year}`, unitPrice: '89', vatKind: 2 }],
        ...terms[i],
      }),
    )
    await setPurchase(ctx, id, {
      state: 'subscribed',
      order_id: orderId,
      customer_id: person.id,
      held_until: null,
      paid_at: ctx.now,
    })
  }
}
