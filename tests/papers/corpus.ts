import { addDays, type Day } from '#domain/day.ts'
import { timesRate } from '#domain/money.ts'
import type { PaperKind, PaperPage } from '#domain/papers/proposal.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { pageOf } from './inLines.ts'
import { money, seeded } from './layouts.ts'

/*
 * Made-up bills as words with places: five languages, eight layouts and three qualities of reading. Names have figures,
 * lines and notes speak of other documents, some bills have no VAT and some were paid in part.
 */

export const corpusLanguages = ['he', 'en', 'ar', 'ru', 'fr'] as const
type Language = (typeof corpusLanguages)[number]
/** Text of a PDF, a clean scan, a photograph. */
export const corpusQualities = ['pdf', 'scan', 'photo'] as const
export type CorpusQuality = (typeof corpusQualities)[number]

export interface CorpusTruth {
  supplierName: string
  supplierTaxId: string
  number: string
  day: Day
  net: number
  vat: number
  total: number
  documentKind: PaperKind
  prepaid?: number
}
export interface CorpusBill {
  language: Language
  layout: number
  quality: CorpusQuality
  pages: PaperPage[]
  truth: CorpusTruth
}

export const corpusToday: Day = '2026-11-28'
export const corpusBuyer = {
  taxId: completeCheckDigit('51423765'),
  name: { he: 'זרם טוב בע"מ', en: 'Zerem Tov Ltd', ar: 'تيار جيد', ru: 'Зерем Тов', fr: 'Bon Courant' },
}

const words = {
  he: {
    names: ['מחסני 2000 בע"מ', 'סופר 24', 'דפוס שקד', 'אלקטרו דנה 44738 בע"מ', 'מאפיית השכונה', 'פיצה 365'],
    title: 'חשבונית מס',
    receipt: 'חשבונית מס / קבלה',
    credit: 'חשבונית זיכוי',
    number: 'מספר',
    longNumber: "מס' חשבונית",
    dealer: 'עוסק מורשה',
    date: 'תאריך',
    due: 'לתשלום עד',
    buyer: 'לכבוד',
    phone: 'טל',
    heads: ['תיאור', 'כמות', 'מחיר', 'סה"כ'],
    net: 'סה"כ לפני מע"מ',
    vat: 'מע"מ',
    gross: 'סה"כ כולל מע"מ',
    total: 'סה"כ לתשלום',
    prepaid: 'שולם מראש',
    rest: 'יתרה לתשלום',
    goods: ['שירותי תחזוקה', 'כבל נחושת', 'ייעוץ מקצועי', 'הובלה'],
    others: [
      'זיכוי בגין חשבונית מספר 777777 מיום 01/01/2020',
      'לפי הזמנה 8841 מיום 03/02/2021',
      'תעודת משלוח 777777',
    ],
    street: "רח' האלון 12, חיפה",
  },
  en: {
    names: [
      'Studio 54 Ltd',
      'Harbor Cloud Services Ltd',
      'Route 66 Motors',
      'Carmel Instruments Ltd',
      'Pier 39',
    ],
    title: 'Tax Invoice',
    receipt: 'Tax Invoice / Receipt',
    credit: 'Credit Note',
    number: 'No.',
    longNumber: 'Invoice number',
    dealer: 'VAT No.',
    date: 'Date',
    due: 'Due date',
    buyer: 'Bill to',
    phone: 'Tel',
    heads: ['Description', 'Qty', 'Price', 'Amount'],
    net: 'Subtotal',
    vat: 'VAT',
    gross: 'Total including VAT',
    total: 'Total due',
    prepaid: 'Prepaid amount',
    rest: 'Balance due',
    goods: ['Cloud hosting', 'Office paper', 'Logo design', 'Support'],
    others: [
      'Refund for invoice no. 777777 dated 01/01/2020',
      'Order 8841 of 03/02/2021',
      'Delivery note 777777',
    ],
    street: '14 Harbor Road, Haifa',
  },
  ar: {
    names: ['شركة النور 2000', 'مطبعة السلام', 'سوبر 24 للتجارة', 'مؤسسة الأمل'],
    title: 'فاتورة ضريبية',
    receipt: 'فاتورة ضريبية / إيصال',
    credit: 'فاتورة دائنة',
    number: 'رقم',
    longNumber: 'رقم الفاتورة',
    dealer: 'مصلحة مرخصة',
    date: 'التاريخ',
    due: 'للدفع حتى',
    buyer: 'إلى حضرة',
    phone: 'هاتف',
    heads: ['التفاصيل', 'الكمية', 'السعر', 'المجموع'],
    net: 'المجموع قبل ض.ق.م',
    vat: 'ض.ق.م',
    gross: 'المجموع شامل ض.ق.م',
    total: 'المبلغ للدفع',
    prepaid: 'دفعة مقدمة',
    rest: 'المبلغ المستحق',
    goods: ['خدمة صيانة', 'استشارة', 'نقل'],
    others: ['خدمة عن فاتورة رقم 777777 بتاريخ 01/01/2020', 'طلب 8841'],
    street: 'شارع الجليل 12, حيفا',
  },
  ru: {
    names: ['Север 24', 'Типография Заря', 'Электро 44738', 'Пекарня Юг'],
    title: 'Налоговый счёт',
    receipt: 'Налоговый счёт/квитанция',
    credit: 'Кредит-нота',
    number: '№',
    longNumber: 'Номер счёта',
    dealer: 'Осек мурше',
    date: 'Дата',
    due: 'Оплатить до',
    buyer: 'Кому',
    phone: 'Тел',
    heads: ['Наименование', 'Кол-во', 'Цена', 'Сумма'],
    net: 'Итого без НДС',
    vat: 'НДС',
    gross: 'Итого с НДС',
    total: 'Итого к оплате',
    prepaid: 'Предоплата',
    rest: 'К оплате',
    goods: ['Обслуживание', 'Бумага', 'Доставка'],
    others: ['Услуга по счёту № 777777 от 01/01/2020', 'Заказ 8841'],
    street: 'ул. Садовая 12, Хайфа',
  },
  fr: {
    names: ['Atelier 54', 'Imprimerie du Port', 'Route 66 Pneus', 'Boulangerie Sud'],
    title: 'Facture fiscale',
    receipt: 'Facture fiscale/reçu',
    credit: 'Note de crédit',
    number: 'N°',
    longNumber: 'Numéro de facture',
    dealer: 'Ossek mourché',
    date: 'Date',
    due: 'Échéance',
    buyer: 'Client',
    phone: 'Tél',
    heads: ['Désignation', 'Qté', 'Prix', 'Montant'],
    net: 'Total HT',
    vat: 'TVA',
    gross: 'Total TTC',
    total: 'Total à payer',
    prepaid: 'Acompte versé',
    rest: 'Reste à payer',
    goods: ['Entretien', 'Papier', 'Livraison'],
    others: ['Service sur facture n° 777777 du 01/01/2020', 'Commande 8841'],
    street: '12 rue du Port, Haïfa',
  },
} as const

const dmy = (day: Day, sign: string) => day.split('-').toReversed().join(sign)

/** What a machine makes of a word: letters that look alike, and the doubt. */
function blurred(page: PaperPage, quality: CorpusQuality, random: () => number): PaperPage {
  if (quality === 'pdf') return page
  const share = quality === 'scan' ? 0.004 : 0.02
  const swap: Record<string, string> = {
    0: 'O',
    1: 'l',
    5: 'S',
    8: 'B',
    ה: 'ח',
    ם: 'ס',
    o: '0',
    l: '1',
    e: 'c',
    i: 'l',
  }
  return {
    ...page,
    words: page.words.map((word) => ({
      ...word,
      y: word.y + (random() - 0.5) * 2,
      confidence: quality === 'scan' ? 0.9 + random() * 0.09 : 0.6 + random() * 0.35,
      text: [...word.text].map((letter) => (random() < share ? (swap[letter] ?? letter) : letter)).join(''),
    })),
  }
}

/** So many bills, the same at every run with one seed. */
export function makeCorpus(count: number, seed = 50): CorpusBill[] {
  const random = seeded(seed)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  return Array.from({ length: count }, (_, index): CorpusBill => {
    const language = corpusLanguages[index % corpusLanguages.length]!
    const layout = Math.floor(index / corpusLanguages.length) % 8
    const quality = corpusQualities[Math.floor(index / 40) % corpusQualities.length]!
    const w = words[language]
    const day = addDays(corpusToday, -between(0, 170))
    const vatFree = random() < 0.1
    const items = Array.from({ length: between(1, 4) }, () => {
      const [quantity, price] = [between(1, 9), between(900, 180_000)]
      return { what: pick(w.goods) as string, quantity, price, sum: quantity * price }
    })
    if (random() < 0.5) items[0]!.what = pick(w.others)
    const net = items.reduce((all, one) => all + one.sum, 0)
    const rate = vatFree ? 0 : vatRateOn(day)
    const vat = timesRate(net, rate, 'halfAwayFromZero')
    const total = net + vat
    const prepaid = random() < 0.12 ? Math.round(total / 3) : undefined
    const kind = pick(['taxInvoice', 'taxInvoice', 'invoiceReceipt', 'credit'] as const)
    const title = kind === 'credit' ? w.credit : kind === 'invoiceReceipt' ? w.receipt : w.title
    const number = pick([
      String(between(1, 9)),
      String(between(10, 99)),
      String(between(1000, 99_999)),
      `${between(10, 99)}-${between(1000, 9999)}`,
    ])
    const taxId = completeCheckDigit(String(51_500_000 + between(1000, 499_999)))
    const name = pick(w.names)
    const buyer = corpusBuyer.name[language]
    const date = `${w.date}: ${dmy(day, pick(['/', '.', '-']))}`
    const seller = [`${w.dealer} ${taxId}`, `${w.street} | ${w.phone} 04-8512345`]
    const named = `${layout % 2 ? w.longNumber : w.number} ${number}`
    const heads: string[][] = [
      [`# ${name}`, ...seller, `# ${title}`, named, date, `${w.buyer}: ${buyer}`],
      [
        `# ${name} | | ${title}`,
        `${w.dealer} ${taxId} | | ${named}`,
        w.street,
        `${w.buyer} | | ${date}`,
        buyer,
      ],
      [`# ${title}`, named, date, `# ${name}`, ...seller, `${w.buyer}: ${buyer}`],
      [
        `# ${name}`,
        ...seller,
        `${title} ${named} | | ${date}`,
        `${w.buyer}: ${buyer} ${w.dealer} ${corpusBuyer.taxId}`,
      ],
    ]
    const tail = [
      ...(prepaid && layout < 4 ? [`${w.gross} | | | ${money(total)}`] : []),
      ...(prepaid && layout < 4
        ? [`${w.prepaid} | | | ${money(prepaid)}`, `${w.rest} | | | ${money(total - prepaid)}`]
        : [`${w.total} | | | ${money(total)}`]),
    ]
    const lines = [
      ...heads[layout % 4]!,
      w.heads.join(' | '),
      ...items.map((one) => `${one.what} | ${one.quantity} | ${money(one.price)} | ${money(one.sum)}`),
      `${w.net} | | | ${money(net)}`,
      `${w.vat} ${rate / 100}% | | | ${money(vat)}`,
      ...tail,
      ...(layout >= 4 && random() < 0.5 ? [pick(w.others)] : []),
      `${name} ${w.dealer} ${taxId}`,
    ]
    return {
      language,
      layout,
      quality,
      pages: [blurred(pageOf(lines, { columns: 4 }), quality, random)],
      truth: {
        supplierName: name,
        supplierTaxId: taxId,
        number,
        day,
        net,
        vat,
        total,
        documentKind: kind,
        ...(prepaid && layout < 4 ? { prepaid } : {}),
      },
    }
  })
}
