import { totalsOf, type DocumentLine, type Discount } from '../documents/arithmetic.ts'
import type { VatKind } from '../documents/kinds.ts'
import { timesFraction } from '../money.ts'
import type { DocumentSource, SourceWords } from './fromDocument.ts'

/*
 * Made-up documents for tests and for the check against the official rules: every class of VAT alone and
 * together, prices with VAT and without, discounts by line and by document, returned goods, four decimals,
 * foreign currency, payments, credits, odd signs in texts.
 */

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const words: SourceWords = {
  discount: 'הנחה',
  charge: 'תוספת',
  exempt: 'פטור ממע"מ',
  deposit: 'פיקדון בנאמנות',
  allocation: 'מספר הקצאה',
  terms: 'שוטף + 30',
  means: {
    cash: 'מזומן',
    cheque: 'צ׳ק',
    transfer: 'העברה בנקאית',
    card: 'כרטיס אשראי',
    paymentApp: 'ביט',
    payPal: 'PayPal',
    withheldTax: 'ניכוי מס במקור',
    other: 'אחר',
  },
}

const texts = [
  'ייעוץ & ליווי <שנתי>',
  'Bolt M8 × 20 "zinc"',
  'خدمة شهرية',
  'Обслуживание',
  'שורה\u0007 עם\r\nסימנים',
  "L'été à Paris",
  'a]]>b',
]
const units = ['יח׳', 'שעה', 'ק"ג', 'm²', '', 'יחידת פלא']
const means = ['cash', 'cheque', 'transfer', 'card', 'paymentApp', 'payPal', 'other'] as const

/** One document as it might be issued; the same for the same seed. */
export function sampleDocument(seed: number): DocumentSource {
  const random = randomOf(seed)
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!
  const kinds = pick<readonly VatKind[]>([
    ['beforeVat'],
    ['includingVat'],
    ['beforeVat', 'includingVat'],
    ['beforeVat', 'includingVat', 'withoutVat', 'trustDeposit'],
    ['trustDeposit'],
    ['withoutVat'],
    ['withoutVat', 'trustDeposit'],
  ])
  const mixesSigns = random(4) === 0
  const given = Array.from({ length: 1 + random(random(5) === 0 ? 40 : 5) }, (): DocumentLine => {
    const sign = mixesSigns && random(4) === 0 ? -1 : 1
    return {
      quantity: pick([10_000, 20_000, 5_000, 12_345, 1 + random(3_000_000)]) * sign,
      unitPrice: random(2) ? 100 * random(1_000_000) : random(90_000_000),
      vatKind: pick(kinds),
      vatClass: random(8) === 0 ? pick(['exempt', 'zero'] as const) : 'standard',
      ...(random(3) === 0
        ? {
            discount: random(3)
              ? { basisPoints: pick([500, 1000, 1234, 3333, 10_000]) }
              : { agorot: 1 + random(40) },
          }
        : {}),
    }
  })
  const rateBp = pick([1700, 1800])
  const isZero = random(7) === 0
  const work = (discount: Discount | undefined) =>
    totalsOf({
      lines: given,
      ...(discount ? { discount } : {}),
      vatRate: rateBp,
      vatTreatment: isZero ? 'zero' : 'standard',
      rounding: pick(['none', 'whole', 'half'] as const),
    })
  const before = work(undefined)
  const discount: Discount | undefined =
    random(3) === 0
      ? { basisPoints: pick([200, 777, 5000]) }
      : random(4) === 0 && before.subtotal > 0
        ? { agorot: random(Math.min(before.subtotal, 5_000_000)) }
        : undefined
  const totals = work(discount)
  const kind = pick(['invoice', 'invoiceReceipt', 'credit'] as const)
  const currency = pick(['ILS', 'ILS', 'ILS', 'USD', 'EUR'])
  const half = Math.trunc(totals.total / 2)
  const isDealer = random(2) === 0
  return {
    isCredit: kind === 'credit',
    number: 10_000 + seed,
    day: pick(['2024-02-29', '2025-12-31', '2026-06-01']),
    dueDay: kind === 'invoice' ? '2026-07-31' : undefined,
    currency,
    rateBp,
    orderNumber: random(2) ? `PO-${random(9999)}/א` : undefined,
    notes: random(2) ? ['תודה על הקנייה', pick(texts)] : [],
    preceding: kind === 'credit' ? { number: 9000 + seed, day: '2024-01-15' } : undefined,
    allocationNumber: random(3) === 0 ? '202500000123456' : undefined,
    seller: {
      name: 'שקד פתרונות בע"מ',
      taxId: '514000009',
      email: random(2) ? 'office@shaked.example' : undefined,
      phone: '03-5551234',
      street: 'הברזל 3',
      city: 'תל אביב',
      zip: '6971003',
      iban: random(2) ? 'IL620108000000099999999' : undefined,
    },
    buyer: {
      name: pick(['אורן תעשיות בע"מ', 'Müller & Söhne GmbH', 'دار السلام']),
      taxId: random(3) ? '513000000' : undefined,
      isDealer,
      email: random(2) ? 'buyer@example.com' : undefined,
      street: random(2) ? 'Hauptstraße 5' : undefined,
      city: random(2) ? 'Berlin' : undefined,
      country: pick(['IL', 'DE', 'US']),
    },
    deliverTo:
      random(3) === 0
        ? { name: 'מחסן צפון', street: 'דרך העצמאות 40', city: 'חיפה', zip: '3303405', country: 'IL' }
        : undefined,
    lines: given.map((line, i) => {
      const of = totals.lines[i]!
      return {
        line: i + 1,
        description: pick(texts),
        details: random(3) === 0 ? pick(texts) : '',
        sku: random(3) === 0 ? `SKU-${i}` : '',
        unit: pick(units),
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        hasDiscount: line.discount !== undefined,
        pricesIncludeVat: line.vatKind === 'includingVat',
        isDeposit: line.vatKind === 'trustDeposit',
        vatClass: of.vatClass,
        amount: of.amount,
        discountShare: of.discountShare,
        net: of.net,
        vat: of.vat,
      }
    }),
    vat: totals.vat,
    ilsVat:
      currency === 'ILS' ? totals.vat : timesFraction(totals.vat, 3_651_234, 1_000_000, 'halfAwayFromZero'),
    rounding: totals.rounding,
    total: totals.total,
    payments:
      kind !== 'invoiceReceipt'
        ? []
        : random(2)
          ? [{ means: pick(means), amount: totals.total, card: '4580' }]
          : [
              { means: 'transfer', amount: half },
              { means: 'withheldTax', amount: totals.total - half },
            ],
    words,
  }
}
