import { deflateSync } from 'node:zlib'
import type { PaperSource, SourceLine } from './source.ts'

/*
 * One small believable world for the tests and pictures of the paper. All names are invented; the dealer numbers are the tax
 * authority's test dealers.
 */

export const madeAt = new Date('2026-11-20T14:32:00+02:00')

export const aluma: PaperSource['business'] = {
  name: 'אלומת הצפון מערכות חשמל בע״מ',
  kind: 'company',
  taxId: '777777715',
  address: ['דרך הארבעה 14, חיפה 3300142'],
  phone: '04-555-0142',
  email: 'office@aluma-north.example',
  logo: hexagon([18, 105, 95]),
  bank: { bank: '12', branch: '702', account: '000142/61' },
}

export const hapekan: PaperSource['customer'] = {
  name: 'גן הפקאן ניהול נכסים בע״מ',
  contact: 'מיכל אברמוב, הנהלת חשבונות',
  address: ['שד׳ ההסתדרות 208, קומה 3, חיפה 3200618'],
  taxId: { kind: 'licensedDealer', number: '777777723' },
}

const line = (name: string, quantity: number, unit: string, price: number, total: number, more: Partial<SourceLine> = {}): SourceLine => ({
  name, quantity: Math.round(quantity * 10_000), unit, unitPrice: Math.round(price * 10_000), total, vat: 'standard', ...more,
})

/** Mixed VAT, a quantity of four decimals, a discount, a returned line. */
export const hebrewInvoice: PaperSource = {
  document: {
    type: 'taxInvoice', number: '100482', date: '2026-11-20', madeAt, language: 'he', currency: 'ILS',
    dueDate: '2026-12-20', terms: 'שוטף + 30', customerReference: 'PO-2026/114-B',
    allocation: { state: 'granted', number: '482913076' },
    notesBelow: ['האחריות על גופי התאורה: 36 חודשים מיום ההתקנה (לא כולל נזקי מתח).', 'לבירורים: 04-555-0142 שלוחה 3, או office@aluma-north.example'],
  },
  lines: [
    line('לוח חשמל ראשי 3×63A, כולל הרכבה ובדיקה', 1, 'יח׳', 3850, 385_000, { sku: 'EL-3X63/A' }),
    line('כבל N2XY 5×10 מ״מ², אורך לפי מדידה', 86.5, 'מ׳', 38.4, 332_160, { sku: 'CB-N2XY-5X10' }),
    line('גוף תאורה LED 40W (4000K), שקוע', 24, 'יח׳', 189, 408_240, { sku: 'LT-LED40/S', discount: 1000 }),
    line('פס השוואת פוטנציאלים, נחושת', 12.3475, 'ק״ג', 61.2, 75_567, { sku: 'CU-PE+12' }),
    line('שעות עבודה – חשמלאי מוסמך (2 עובדים)', 18.25, 'שע׳', 210, 383_250),
    line('החזר: ממסר פחת 4×40A שלא סופק', -1, 'יח׳', 320, -32_000, { sku: 'RCD-4X40/30' }),
    line('אגרת בדיקה ששולמה עבורכם (פיקדון)', 1, '', 412, 41_200, { vat: 'deposit' }),
  ],
  totals: {
    subtotal: 1_593_417, discount: { amount: 31_868, rate: 200 }, beforeVat: 1_561_549, vatRate: 1800, vat: 273_811, total: 1_835_360,
    classes: [
      { kind: 'standard', base: 1_521_173, rate: 1800, vat: 273_811 },
      { kind: 'deposit', base: 40_376 },
    ],
  },
  business: aluma,
  customer: hapekan,
  settings: { accent: '#12695f', payLink: 'pinkas.example/p/7K2M9' },
  variant: { mark: 'original', seal: { kind: 'plain', by: 'דנה לוי', at: madeAt, verifyLink: 'pinkas.example/v/QX84-11TD' } },
}

/** The same with as many lines as one likes. */
export function longInvoice(count: number): PaperSource {
  const goods: [string, string, string, number][] = [
    ['מאמ״ת 3×25A אופיין C (10kA)', 'MCB-C25/3', 'יח׳', 96],
    ['צינור מריכף 23 מ״מ', 'PF-23', 'מ׳', 3.6],
    ['כבל N2XY 5×16 מ״מ²', 'CB-N2XY-5X16', 'מ׳', 58.9],
    ['שעות עבודה – חשמלאי מוסמך', '', 'שע׳', 210],
    ['מהדק QC 221-415, חבילה (25)', 'QC-221-415', 'חב׳', 79.9],
    ['ממסר פחת 4×40A, 30mA', 'RCD-4X40/30', 'יח׳', 212],
  ]
  const floors = ['קומת מרתף', 'קומה 1', 'קומה 2', 'גג']
  const lines = Array.from({ length: count }, (_, at) => {
    const [name, sku, unit, price] = goods[at % goods.length]!
    const quantity = [1, 48, 33.5, 4.25, 12, 6][(at * 7 + 3) % 6]!
    return line(`${name}, ${floors[Math.floor((at * 4) / count)]}`, quantity, unit, price, Math.round(quantity * price * 100), sku ? { sku } : {})
  })
  const beforeVat = lines.reduce((sum, { total }) => sum + total, 0)
  const vat = Math.round(beforeVat * 0.18)
  return {
    ...hebrewInvoice,
    document: { ...hebrewInvoice.document, number: '100517', notesBelow: ['החשבונית מרכזת את תעודות משלוח 2084 עד 2091 מנובמבר 2026.'] },
    lines,
    totals: { subtotal: beforeVat, beforeVat, vatRate: 1800, vat, total: beforeVat + vat },
    settings: { ...hebrewInvoice.settings, skuColumn: true },
  }
}

/** A small hexagon as PNG, so that no picture file is needed. */
function hexagon([red, green, blue]: [number, number, number]): Uint8Array {
  const size = 220
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [dx, dy] = [Math.abs(x - size / 2) / (size / 2), Math.abs(y - size / 2) / (size / 2)]
      const inside = dx <= 0.87 && dy + dx * 0.577 <= 1
      const bolt = inside && Math.abs(x - size / 2 + (y - size / 2) * 0.35 - (y > size / 2 ? -16 : 16)) < 22 * (1 - Math.abs(dy - 0.05)) && dy < 0.62
      rows.set(bolt ? [244, 178, 60, 255] : [red, green, blue, inside ? 255 : 0], y * (size * 4 + 1) + 1 + x * 4)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

function crc32(data: Buffer): number {
  let crc = ~0
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
