import { addDays, type Day } from '#domain/day.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import { timesRate } from '#domain/money.ts'
import type { PaperKind } from '#domain/papers/proposal.ts'
import { vatRateOn } from '#domain/vat/rates.ts'

/** The content of a made-up document; what the reader ought to find. Amounts in agorot. */
export interface Truth {
  supplierName: string
  supplierTaxId: string
  number: string
  day: Day
  dueDay?: Day
  net: number
  vat: number
  total: number
  allocationNumber?: string
  documentKind: PaperKind
}

export interface MadePaper {
  name: string
  layout: string
  lang: 'he' | 'en'
  html: string
  truth: Truth
  /** In millimetres; A4 when absent. */
  size?: { width: number; height: number }
}

/** The business all documents are addressed to: its number is on most of them. */
export const buyer = { name: 'זרם טוב בע"מ', nameEn: 'Zerem Tov Ltd', taxId: completeCheckDigit('51423765') }
export const today: Day = '2026-03-15'

/** The same numbers at every run (mulberry32). */
export function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Facts extends Truth {
  rate: number
  lines: { what: string; quantity: number; price: number; sum: number }[]
  phone: string
  street: string
  buyerName: string
}

const suppliersHe = [
  'מפעלי ברזל הגליל בע"מ',
  'דפוס שקד',
  'אור חשמל ותאורה בע"מ',
  'מאפיית השכונה',
  'ניר שירותי מחשוב בע"מ',
  'צבעי העמק בע"מ',
  'הובלות כרמלי ובניו',
  "משרד רואי חשבון לביא ושות'",
  'גינון ירוק עד בע"מ',
  'מרכז הצמיגים הדרומי',
  'ספרי אופק הוצאה לאור בע"מ',
  'כלי עבודה רמות בע"מ',
]
const suppliersEn = [
  'Harbor Cloud Services Ltd',
  'Northwind Office Supplies Ltd',
  'Blue Fig Design Studio',
  'Carmel Instruments Ltd',
  'Silver Oak Logistics Ltd',
  'Paper Crane Print House Ltd',
]
const goodsHe = [
  'שירותי תחזוקה חודשיים',
  'כבל נחושת 3X2.5',
  'גופי תאורה לד 18W',
  'הדפסת עלונים A5',
  'ייעוץ מקצועי',
  'צבע אקרילי לבן 18 ליטר',
  'הובלה בתוך העיר',
  'נייר צילום A4 80 גרם',
  'התקנה והדרכה',
  'מסנן שמן ומסנן אוויר',
]
const goodsEn = [
  'Cloud hosting, monthly',
  'Office paper A4 80 g',
  'Logo design',
  'Pressure gauge PG-40',
  'Courier service',
  'Brochure printing 500 pcs',
  'Support hours',
  'Laser toner 12A',
]
const streetsHe = [
  "רח' האלון 12, חיפה",
  'דרך השלום 7, תל אביב',
  "שד' רוטשילד 101, תל אביב",
  'האורגים 3, אשדוד',
  'התעשייה 24, נתניה',
]

export const money = (agorot: number): string => {
  const [whole, part] = (Math.abs(agorot) / 100).toFixed(2).split('.')
  return `${agorot < 0 ? '-' : ''}${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}
const dmy = (day: Day, sign = '/') => day.split('-').toReversed().join(sign)
const monthsHe = [
  'ינואר',
  'פברואר',
  'מרץ',
  'אפריל',
  'מאי',
  'יוני',
  'יולי',
  'אוגוסט',
  'ספטמבר',
  'אוקטובר',
  'נובמבר',
  'דצמבר',
]
const monthsEn = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const longHe = (day: Day) =>
  `${Number(day.slice(8))} ב${monthsHe[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
const longEn = (day: Day) =>
  `${monthsEn[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`

function facts(
  random: () => number,
  lang: 'he' | 'en',
  kind: PaperKind,
  lineCount?: number,
  vatFree = false,
): Facts {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const day = addDays('2024-04-01', between(0, 700))
  const rate = vatFree ? 0 : vatRateOn(day)
  const lines = Array.from({ length: lineCount ?? between(1, 5) }, () => {
    const quantity = between(1, 12)
    const price = between(900, 180_000)
    return { what: pick(lang === 'he' ? goodsHe : goodsEn), quantity, price, sum: quantity * price }
  })
  const net = lines.reduce((sum, line) => sum + line.sum, 0)
  const vat = timesRate(net, rate, 'halfAwayFromZero')
  return {
    supplierName: pick(lang === 'he' ? suppliersHe : suppliersEn),
    supplierTaxId: completeCheckDigit(
      String(vatFree ? between(3_100_000, 6_900_000) * 10 : 51_000_000 + between(100_000, 899_999)),
    ),
    number: pick([
      String(between(1000, 9999)),
      String(between(100_000, 999_999)),
      `${between(10, 99)}-${between(1000, 9999)}`,
      `IN${between(10, 26)}${between(100_000, 999_999)}`,
    ]),
    day,
    net,
    vat,
    total: net + vat,
    documentKind: kind,
    rate: rate / 100,
    lines,
    phone: `0${between(2, 9)}-${between(2_000_000, 9_999_999)}`,
    street: lang === 'he' ? pick(streetsHe) : '14 Harbor Road, Haifa',
    buyerName: lang === 'he' ? buyer.name : buyer.nameEn,
  }
}

const page = (
  lang: 'he' | 'en',
  font: string,
  css: string,
  body: string,
) => `<!doctype html><html lang="${lang}" dir="${lang === 'he' ? 'rtl' : 'ltr'}"><meta charset="utf-8"><style>
*{box-sizing:border-box}body{margin:0;font:14px/1.45 ${font};color:#111;background:#fff}table{border-collapse:collapse;width:100%}
.sheet{padding:14mm 15mm;min-height:280mm}${css}</style><body>${body}</body></html>`

const rowsOf = (f: Facts, cell: (line: Facts['lines'][number]) => string[]) =>
  f.lines
    .map(
      (line) =>
        `<tr>${cell(line)
          .map((c) => `<td>${c}</td>`)
          .join('')}</tr>`,
    )
    .join('')
const allocation = (random: () => number) => String(100_000_000 + Math.floor(random() * 899_999_999))

type Layout = (
  random: () => number,
  font: string,
) => { lang: 'he' | 'en'; f: Facts; html: string; size?: MadePaper['size'] }

const grid =
  'td,th{border:1px solid #999;padding:5px 8px;text-align:start}th{background:#eee}.totals{width:46%;margin-inline-start:auto;margin-top:14px}'

export const layouts: Record<string, Layout> = {
  /** The name large on the right, a ruled table, totals under it. */
  classic: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice')
    if (f.net > 1_000_000) f.allocationNumber = allocation(random)
    f.dueDay = addDays(f.day, 30)
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}h1{font-size:26px;margin:0}h2{font-size:21px;text-align:center;margin:18px 0}`,
        `<div class=sheet><h1>${f.supplierName}</h1><div>${f.street} טל' ${f.phone}</div><div>ח.פ. ${f.supplierTaxId}</div>
        <h2>חשבונית מס מס' ${f.number} - מקור</h2>
        <div style="display:flex;justify-content:space-between"><div>לכבוד<br><b>${f.buyerName}</b><br>ח.פ. ${buyer.taxId}</div><div>תאריך: ${dmy(f.day)}<br>לתשלום עד: ${dmy(f.dueDay)}</div></div><br>
        <table><tr><th>תיאור<th>כמות<th>מחיר<th>סה"כ</tr>${rowsOf(f, (l) => [l.what, String(l.quantity), money(l.price), money(l.sum)])}</table>
        <table class=totals><tr><td>סה"כ לפני מע"מ<td>₪${money(f.net)}<tr><td>מע"מ ${f.rate}%<td>₪${money(f.vat)}<tr><td><b>סה"כ לתשלום</b><td><b>₪${money(f.total)}</b></table>
        ${f.allocationNumber ? `<p>מספר הקצאה: ${f.allocationNumber}</p>` : ''}<p style="margin-top:30px">תודה על הקנייה</p></div>`,
      ),
    }
  },
  /** A coloured band with white characters; the totals in a tinted box. */
  band: (random, font) => {
    const f = facts(random, 'he', 'invoiceReceipt')
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        'td,th{padding:9px 6px;border-bottom:1px solid #ddd;text-align:start}header{background:#0b5d52;color:#fff;padding:26px 15mm;display:flex;justify-content:space-between;align-items:center}header b{font-size:25px}.box{background:#eef4f2;padding:14px 18px;width:300px;margin:22px auto 0 0}.box div{display:flex;justify-content:space-between}.sheet{padding-top:8mm}',
        `<header><b>${f.supplierName}</b><div>חשבונית מס / קבלה<br>מספר ${f.number}</div></header><div class=sheet>
        <div style="display:flex;gap:70px"><div><small>עבור</small><br>${f.buyerName}<br>עוסק מורשה ${buyer.taxId}</div><div><small>תאריך הפקה</small><br>${dmy(f.day, '.')}</div><div><small>עוסק מורשה</small><br>${f.supplierTaxId}</div></div><br>
        <table><tr><th>פריט<th>מחיר יחידה<th>כמות<th>סכום</tr>${rowsOf(f, (l) => [l.what, `${money(l.price)} ₪`, String(l.quantity), `${money(l.sum)} ₪`])}</table>
        <div class=box><div><span>סכום ביניים</span><span>${money(f.net)} ₪</span></div><div><span>מע"מ (${f.rate}%)</span><span>${money(f.vat)} ₪</span></div><div><b>סה"כ</b><b>${money(f.total)} ₪</b></div></div>
        <p>שולם באשראי: ${money(f.total)} ₪ כרטיס 4580</p></div>`,
      ),
    }
  },
  /** A till's roll, 80 mm, amounts with VAT in them. */
  till: (random, font) => {
    const f = facts(random, 'he', 'invoiceReceipt', 2 + Math.floor(random() * 4))
    const gross = f.lines.map((l) => ({
      ...l,
      sum: timesRate(l.sum, f.rate * 100, 'halfAwayFromZero') + l.sum,
    }))
    f.total = gross.reduce((s, l) => s + l.sum, 0)
    f.net = Math.round((f.total * 100) / (100 + f.rate))
    f.vat = f.total - f.net
    const cash = Math.ceil(f.total / 10_000) * 10_000 + 10_000
    return {
      lang: 'he',
      f,
      size: { width: 80, height: 150 + gross.length * 8 },
      html: page(
        'he',
        font,
        'body{font-size:12.5px}.r{padding:5mm 4mm}.r div{display:flex;justify-content:space-between}center{font-size:13px}h1{font-size:18px;margin:0;text-align:center}hr{border:0;border-top:1px dashed #333}',
        `<div class=r><h1>${f.supplierName}</h1><center>${f.street}<br>עוסק מורשה ${f.supplierTaxId}<br>טל ${f.phone}</center><hr>
        <center><b>חשבונית מס קבלה ${f.number}</b></center><div><span>תאריך ${dmy(f.day)}</span><span>שעה 14:32</span></div><div><span>קופה 3</span><span>קופאי 117</span></div><hr>
        ${gross.map((l) => `<div><span>${l.what}</span><span>${money(l.sum)}</span></div>`).join('')}<hr>
        <div style="font-size:16px;font-weight:bold"><span>סה"כ לתשלום</span><span>${money(f.total)}</span></div>
        <div><span>חייב במע"מ</span><span>${money(f.net)}</span></div><div><span>מע"מ ${f.rate}.00%</span><span>${money(f.vat)}</span></div><hr>
        <div><span>מזומן</span><span>${money(cash)}</span></div><div><span>עודף</span><span>${money(cash - f.total)}</span></div><center><br>תודה ולהתראות</center></div>`,
      ),
    }
  },
  /** A bill of a utility: periods, meter readings, an earlier balance. */
  utility: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice', 2)
    f.supplierName = 'חברת המים האזורית בע"מ'
    f.dueDay = addDays(f.day, 21)
    f.number = String(200_000_000 + Math.floor(random() * 99_999_999)).slice(0, 8)
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}.k{background:#dfeaf6;padding:12px;display:flex;justify-content:space-between;font-size:17px;font-weight:bold}`,
        `<div class=sheet><table style="border:0"><tr><td style="border:0;font-size:24px"><b>${f.supplierName}</b><br><small>ח.פ. ${f.supplierTaxId} | מוקד שירות *2890</small><td style="border:0">חשבונית מס<br>מספר חשבונית: ${f.number}<br>תאריך עריכה: ${dmy(f.day)}</table>
        <p>לכבוד: ${f.buyerName}, מספר לקוח 4471902</p><p>תקופת חשבון: ${dmy(addDays(f.day, -62))} - ${dmy(addDays(f.day, -2))}</p>
        <table><tr><th>תיאור<th>קריאה קודמת<th>קריאה נוכחית<th>כמות<th>סכום בש"ח</tr>${f.lines.map((l) => `<tr><td>${l.what}<td>1834<td>${1834 + l.quantity}<td>${l.quantity}<td>${money(l.sum)}</tr>`).join('')}</table>
        <table class=totals><tr><td>יתרה קודמת<td>0.00<tr><td>סה"כ לא כולל מע"מ<td>${money(f.net)}<tr><td>מע"מ בשיעור ${f.rate}%<td>${money(f.vat)}<tr><td>סה"כ כולל מע"מ<td>${money(f.total)}</table><br>
        <div class=k><span>סכום לתשלום: ${money(f.total)} ₪</span><span>לתשלום עד: ${dmy(f.dueDay)}</span></div><p>החיוב יבוצע בהוראת קבע בבנק, סניף 611</p></div>`,
      ),
    }
  },
  /** English, the plain kind. */
  english: (random, font) => {
    const f = facts(random, 'en', 'taxInvoice')
    f.dueDay = addDays(f.day, 30)
    return {
      lang: 'en',
      f,
      html: page(
        'en',
        font,
        `${grid}h1{font-size:30px;letter-spacing:2px}`,
        `<div class=sheet><div style="display:flex;justify-content:space-between"><div><b style="font-size:20px">${f.supplierName}</b><br>${f.street}<br>VAT No. ${f.supplierTaxId}<br>Tel: ${f.phone}</div><h1>TAX INVOICE</h1></div>
        <div style="display:flex;justify-content:space-between;margin:20px 0"><div>Bill to:<br><b>${f.buyerName}</b><br>Company no. ${buyer.taxId}</div><div>Invoice No.: ${f.number}<br>Date: ${dmy(f.day)}<br>Due date: ${dmy(f.dueDay)}</div></div>
        <table><tr><th>Description<th>Qty<th>Unit price<th>Amount</tr>${rowsOf(f, (l) => [l.what, String(l.quantity), money(l.price), money(l.sum)])}</table>
        <table class=totals><tr><td>Subtotal<td>ILS ${money(f.net)}<tr><td>VAT ${f.rate}%<td>ILS ${money(f.vat)}<tr><td><b>Total due</b><td><b>ILS ${money(f.total)}</b></table></div>`,
      ),
    }
  },
  /** English, modern: figures in a large heading, a month's name. */
  saas: (random, font) => {
    const f = facts(random, 'en', 'taxInvoice', 1 + Math.floor(random() * 2))
    return {
      lang: 'en',
      f,
      html: page(
        'en',
        font,
        'td,th{padding:10px 4px;border-bottom:1px solid #e3e3e3;text-align:start}th{color:#777;font-weight:400}td:last-child,th:last-child{text-align:end}h1{font-size:30px;margin:0 0 20px}dl{display:grid;grid-template-columns:130px 1fr;margin:0}dt{color:#666}dd{margin:0}',
        `<div class=sheet><h1>Invoice</h1><dl><dt>Invoice number<dd>${f.number}<dt>Date of issue<dd>${longEn(f.day)}</dl><br>
        <div style="display:flex;gap:120px"><div><b>${f.supplierName}</b><br>${f.street}<br>Israel<br>Tax ID ${f.supplierTaxId}</div><div><b>Bill to</b><br>${f.buyerName}<br>Israel</div></div>
        <h2>₪${money(f.total)} due ${longEn(addDays(f.day, 14))}</h2>
        <table><tr><th>Description<th>Qty<th>Unit price<th>Amount</tr>${rowsOf(f, (l) => [l.what, String(l.quantity), `₪${money(l.price)}`, `₪${money(l.sum)}`])}</table>
        <table style="width:45%;margin-inline-start:auto"><tr><td>Subtotal<td>₪${money(f.net)}<tr><td>VAT (${f.rate}%)<td>₪${money(f.vat)}<tr><td>Total<td>₪${money(f.total)}<tr><td><b>Amount due</b><td><b>₪${money(f.total)}</b></table></div>`,
      ),
    }
  },
  /** A credit that names the invoice it credits. */
  credit: (random, font) => {
    const f = facts(random, 'he', 'credit', 1)
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}h2{font-size:22px}`,
        `<div class=sheet><table style="border:0"><tr><td style="border:0"><b style="font-size:23px">${f.supplierName}</b><br>ע.מ. ${f.supplierTaxId}<br>${f.street}<td style="border:0;text-align:end">תאריך המסמך: ${dmy(f.day)}</table>
        <h2>חשבונית זיכוי מספר ${f.number}</h2><p>שם הלקוח: ${f.buyerName} ח.פ ${buyer.taxId}</p><p>בגין חשבונית מס 88${f.number.replace(/\D/g, '').slice(0, 4)} מיום ${dmy(addDays(f.day, -40))}</p>
        <table><tr><th>פירוט<th>כמות<th>מחיר<th>סה"כ</tr>${rowsOf(f, (l) => [l.what, String(l.quantity), money(l.price), money(l.sum)])}</table>
        <table class=totals><tr><td>סה"כ חייב במע"מ<td>${money(f.net)}-<tr><td>מע"מ ${f.rate}%<td>${money(f.vat)}-<tr><td><b>סה"כ לזיכוי</b><td><b>${money(f.total)}-</b></table></div>`,
      ),
    }
  },
  /** Three pages of lines; the totals on the last, page totals on the others. */
  long: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice', 62)
    const chunks = [f.lines.slice(0, 26), f.lines.slice(26, 54), f.lines.slice(54)]
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        'td,th{border-bottom:1px solid #bbb;padding:3px 6px;text-align:start}.sheet{page-break-after:always;min-height:auto;height:290mm;overflow:hidden}.totals{width:46%;margin:16px auto 0 0}',
        chunks
          .map(
            (
              lines,
              i,
            ) => `<div class=sheet><div style="display:flex;justify-content:space-between"><b style="font-size:19px">${f.supplierName}</b><span>עמוד ${i + 1} מתוך 3</span></div>
          <div>ח"פ ${f.supplierTaxId} ${f.street}</div><h3>חשבונית מס ${f.number}</h3><div>תאריך: ${dmy(f.day)}   לכבוד: ${f.buyerName}</div><br>
          <table><tr><th>תיאור<th>כמות<th>מחיר<th>סה"כ</tr>${lines.map((l) => `<tr><td>${l.what}<td>${l.quantity}<td>${money(l.price)}<td>${money(l.sum)}</tr>`).join('')}</table>
          ${
            i < 2
              ? `<p>סה"כ להעברה: ${money(
                  chunks
                    .slice(0, i + 1)
                    .flat()
                    .reduce((s, l) => s + l.sum, 0),
                )}</p>`
              : `<table class=totals><tr><td>סה"כ<td>${money(f.net)}<tr><td>מע"מ ${f.rate}%<td>${money(f.vat)}<tr><td>סה"כ לתשלום<td>${money(f.total)}</table>`
          }</div>`,
          )
          .join(''),
      ),
    }
  },
  /** A receipt of an exempt dealer: no VAT anywhere. */
  exempt: (random, font) => {
    const f = facts(random, 'he', 'receipt', 1, true)
    f.supplierName = ['נעמה ברק - עיצוב', 'יוסף מזרחי שיפוצים', 'סטודיו תמר'][Math.floor(random() * 3)]!
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}h2{font-size:24px;margin:10px 0}`,
        `<div class=sheet><div style="text-align:center"><b style="font-size:26px">${f.supplierName}</b><br>עוסק פטור ${f.supplierTaxId}<br>נייד ${f.phone.replace(/^0\d/, '052')}</div>
        <h2>קבלה מס' ${f.number}</h2><div>תאריך: ${dmy(f.day, '.')}</div><p>התקבל מאת: ${f.buyerName}</p><p>עבור: ${f.lines[0]!.what}</p>
        <table><tr><th>אמצעי תשלום<th>פרטים<th>תאריך<th>סכום</tr><tr><td>העברה בנקאית<td>בנק 12 סניף 611<td>${dmy(f.day, '.')}<td>${money(f.total)}</tr></table><p><b>סה"כ שולם: ${money(f.total)} ש"ח</b></p><p>חתימה ________</p></div>`,
      ),
    }
  },
  /** Hebrew and English in every label. */
  bilingual: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice')
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}`,
        `<div class=sheet><div style="display:flex;justify-content:space-between"><b style="font-size:22px">${f.supplierName}</b><span>ח.פ / Company No. ${f.supplierTaxId}</span></div><hr>
        <h2>חשבונית מס / Tax Invoice</h2><table style="width:60%"><tr><td>מספר / No.<td>${f.number}<tr><td>תאריך / Date<td>${dmy(f.day)}<tr><td>לקוח / Customer<td>${f.buyerName}<tr><td>ח.פ. לקוח / Customer ID<td>${buyer.taxId}</table><br>
        <table><tr><th>תיאור / Description<th>כמות / Qty<th>סכום / Amount</tr>${rowsOf(f, (l) => [l.what, String(l.quantity), money(l.sum)])}</table>
        <table class=totals style="width:60%"><tr><td>סה"כ לפני מע"מ / Subtotal<td>${money(f.net)}<tr><td>מע"מ / VAT ${f.rate}%<td>${money(f.vat)}<tr><td>סה"כ לתשלום / Total<td>${money(f.total)}</table></div>`,
      ),
    }
  },
  /** The totals side by side, each under its heading. */
  columns: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice')
    f.dueDay = addDays(f.day, 45)
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        `${grid}.sheet>b{font-size:23px}`,
        `<div class=sheet><b>${f.supplierName}</b><br>עוסק מורשה: ${f.supplierTaxId}, ${f.street}
        <table style="margin:22px 0"><tr><th>סוג מסמך<th>מספר מסמך<th>תאריך<th>מועד תשלום<th>מספר לקוח</tr><tr><td>חשבונית מס<td>${f.number}<td>${dmy(f.day)}<td>${dmy(f.dueDay)}<td>30418</tr></table>
        <div>לכבוד: ${f.buyerName}</div><br><table><tr><th>מק"ט<th>תיאור<th>כמות<th>מחיר<th>סה"כ</tr>${rowsOf(f, (l) => [String(10_000 + l.price), l.what, String(l.quantity), money(l.price), money(l.sum)])}</table>
        <table style="margin-top:24px"><tr><th>סה"כ לפני מע"מ<th>שיעור מע"מ<th>סכום מע"מ<th>סה"כ לתשלום</tr><tr><td>${money(f.net)}<td>${f.rate}%<td>${money(f.vat)}<td><b>${money(f.total)}</b></tr></table></div>`,
      ),
    }
  },
  /** A letter: the amount in the text, a month's name, discount before the totals. */
  letter: (random, font) => {
    const f = facts(random, 'he', 'taxInvoice', 2)
    const before = f.net
    const discount = Math.round(before / 20)
    f.net = before - discount
    f.vat = timesRate(f.net, f.rate * 100, 'halfAwayFromZero')
    f.total = f.net + f.vat
    return {
      lang: 'he',
      f,
      html: page(
        'he',
        font,
        '.sheet{font-size:15px}table{width:70%}td{padding:4px 0}td:last-child{text-align:end}h2{text-decoration:underline;text-align:center}',
        `<div class=sheet><div style="text-align:center;border-bottom:2px solid #222;padding-bottom:8px"><b style="font-size:24px">${f.supplierName}</b><br>${f.street} • טלפון ${f.phone} • ע.מ ${f.supplierTaxId}</div>
        <p style="text-align:end">${longHe(f.day)}</p><p>לכבוד<br>${f.buyerName}</p><h2>חשבונית מס ${f.number}</h2><p>שלום רב,<br>להלן פירוט החיוב עבור השירותים שניתנו:</p>
        <table>${f.lines.map((l) => `<tr><td>${l.what}<td>${money(l.sum)}</tr>`).join('')}<tr><td>הנחה 5%<td>${money(-discount)}<tr><td>סה"כ לאחר הנחה<td>${money(f.net)}<tr><td>בתוספת מע"מ ${f.rate}%<td>${money(f.vat)}<tr><td><b>סך הכל לתשלום</b><td><b>${money(f.total)} ש"ח</b></table><p>תנאי תשלום: שוטף + 30</p><p>בכבוד רב,</p></div>`,
      ),
    }
  },
  /** English till roll. */
  slip: (random, font) => {
    const f = facts(random, 'en', 'receipt', 3)
    return {
      lang: 'en',
      f,
      size: { width: 80, height: 165 },
      html: page(
        'en',
        font,
        'body{font-size:12.5px}.r{padding:5mm 4mm}.r div{display:flex;justify-content:space-between}center{font-size:13px}hr{border:0;border-top:1px dashed #333}',
        `<div class=r><center><b style="font-size:16px">${f.supplierName}</b><br>${f.street}<br>VAT No. ${f.supplierTaxId}</center><hr><center><b>RECEIPT # ${f.number}</b></center><div><span>Date ${dmy(f.day)}</span><span>Time 09:14</span></div><hr>
        ${f.lines.map((l) => `<div><span>${l.quantity} x ${l.what}</span><span>${money(l.sum)}</span></div>`).join('')}<hr><div><span>Subtotal</span><span>${money(f.net)}</span></div><div><span>VAT ${f.rate}%</span><span>${money(f.vat)}</span></div><div style="font-size:16px;font-weight:bold"><span>TOTAL</span><span>${money(f.total)}</span></div><hr><div><span>VISA ****4580</span><span>${money(f.total)}</span></div><center><br>Thank you!</center></div>`,
      ),
    }
  },
}

/** Fonts that are on most machines and have Hebrew. */
const fonts = [
  '"Liberation Sans",Arial,sans-serif',
  '"DejaVu Sans",sans-serif',
  '"Liberation Serif","Times New Roman",serif',
  'Rubik,"Liberation Sans",sans-serif',
]

/** Every layout in every font, each with its own figures: the same papers at every run. */
export function makePapers(perLayout = fonts.length): MadePaper[] {
  return Object.entries(layouts).flatMap(([layout, make], l) =>
    Array.from({ length: perLayout }, (_, n) => {
      const random = seeded(1000 + l * 97 + n * 13)
      const { lang, f, html, size } = make(random, fonts[n % fonts.length]!)
      const { supplierName, supplierTaxId, number, day, net, vat, total, documentKind } = f
      return {
        name: `${layout}-${n + 1}`,
        layout,
        lang,
        html,
        truth: {
          supplierName,
          supplierTaxId,
          number,
          day,
          net,
          vat,
          total,
          documentKind,
          ...(f.dueDay && layout !== 'letter' ? { dueDay: f.dueDay } : {}),
          ...(f.allocationNumber ? { allocationNumber: f.allocationNumber } : {}),
        },
        ...(size ? { size } : {}),
      }
    }),
  )
}
