import { deflateSync } from 'node:zlib'
import type { PaperSource, SourceLine } from './source.ts'
import type { StatementSource } from './statement.ts'

/*
 * One small believable world for the tests and pictures of the paper. All names are invented; the dealer
 * numbers are the tax authority's test dealers.
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

const line = (
  name: string,
  quantity: number,
  unit: string,
  price: number,
  total: number,
  more: Partial<SourceLine> = {},
): SourceLine => ({
  name,
  quantity: Math.round(quantity * 10_000),
  unit,
  unitPrice: Math.round(price * 10_000),
  total,
  vat: 'standard',
  ...more,
})

/** Mixed VAT, a quantity of four decimals, a discount, a returned line. */
export const hebrewInvoice: PaperSource = {
  document: {
    type: 'taxInvoice',
    number: '100482',
    date: '2026-11-20',
    madeAt,
    language: 'he',
    currency: 'ILS',
    dueDate: '2026-12-20',
    terms: 'שוטף + 30',
    customerReference: 'PO-2026/114-B',
    deliverTo: ['מחסן צפון', 'דרך העצמאות 40', 'חיפה 3303405'],
    allocation: { state: 'granted', number: '482913076' },
    notesBelow: [
      'האחריות על גופי התאורה: 36 חודשים מיום ההתקנה (לא כולל נזקי מתח).',
      'לבירורים: 04-555-0142 שלוחה 3, או office@aluma-north.example',
    ],
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
    subtotal: 1_593_417,
    discount: { amount: 31_868, rate: 200 },
    beforeVat: 1_561_549,
    vatRate: 1800,
    vat: 273_811,
    total: 1_835_360,
    classes: [
      { kind: 'standard', base: 1_521_173, rate: 1800, vat: 273_811 },
      { kind: 'deposit', base: 40_376 },
    ],
  },
  business: aluma,
  customer: hapekan,
  settings: { accent: '#12695f', payLink: 'pinkas.example/p/7K2M9' },
  variant: {
    mark: 'original',
    seal: { kind: 'plain', by: 'דנה לוי', at: madeAt, verifyLink: 'pinkas.example/v/QX84-11TD' },
  },
}

/** Cheques, a card, tax withheld: the totals of the payments are distinct from the totals of the lines. */
export const invoiceReceipt: PaperSource = {
  ...hebrewInvoice,
  document: {
    ...hebrewInvoice.document,
    type: 'taxInvoiceReceipt',
    number: '300217',
    dueDate: undefined,
    terms: undefined,
    customerReference: 'PO-2026/131',
    paidOn: '2026-11-20',
    allocation: { state: 'granted', number: '482913114' },
    notesBelow: ['אישור ניכוי מס במקור 5% בתוקף עד 31/03/2027.'],
  },
  lines: [
    line('תכנון ופיקוח – החלפת תשתית חשמל, בניין B', 1, '', 9800, 980_000),
    line('לוח חלוקה משני 3×40A, מותקן', 4, '', 2150, 860_000, { sku: 'EL-3X40/A' }),
    line('נקודות מאור ושקעים', 46, '', 121.7391, 560_000),
  ],
  totals: { subtotal: 2_400_000, beforeVat: 2_400_000, vatRate: 1800, vat: 432_000, total: 2_832_000 },
  payments: {
    rows: [
      {
        means: 'transfer',
        bank: '12',
        branch: '702',
        account: '000461',
        number: '882014',
        due: '2026-11-20',
        amount: 800_000,
      },
      {
        means: 'cheque',
        bank: '10',
        branch: '914',
        account: '338/0142',
        number: '5000311',
        due: '2026-12-20',
        amount: 550_000,
      },
      {
        means: 'cheque',
        bank: '10',
        branch: '914',
        account: '338/0142',
        number: '5000312',
        due: '2027-01-20',
        amount: 550_000,
      },
      {
        means: 'cheque',
        bank: '10',
        branch: '914',
        account: '338/0142',
        number: '5000313',
        due: '2027-02-20',
        amount: 550_000,
      },
      {
        means: 'card',
        number: '0914417',
        due: '2026-12-02',
        amount: 240_400,
        card: { brand: 'ויזה', lastDigits: '4821', instalments: 2 },
      },
    ],
    received: 2_690_400,
    withheld: { amount: 141_600, rate: 500 },
    credited: 2_832_000,
  },
}

export const creditInvoice: PaperSource = {
  ...hebrewInvoice,
  document: {
    type: 'creditInvoice',
    number: '400031',
    date: '2026-11-24',
    madeAt,
    language: 'he',
    currency: 'ILS',
    credits: {
      type: 'taxInvoice',
      number: '100482',
      date: '2026-11-20',
      allocationNumber: '482913076',
      reason: 'שלושה גופי תאורה הוחזרו ושעה וחצי חויבו ביתר',
      left: 1_739_923,
    },
    notesBelow: ['הסכומים במסמך זה חיוביים ומקטינים את החיוב. הלקוח מתבקש לתקן את ניכוי מס התשומות.'],
  },
  lines: [
    line('גוף תאורה LED 40W (4000K), שקוע – הוחזר פגום', 3, 'יח׳', 189, 51_030, {
      sku: 'LT-LED40/S',
      discount: 1000,
    }),
    line('שעות עבודה – חשמלאי מוסמך, חיוב ביתר', 1.5, 'שע׳', 210, 31_500),
  ],
  totals: {
    subtotal: 82_530,
    discount: { amount: 1651, rate: 200 },
    beforeVat: 80_879,
    vatRate: 1800,
    vat: 14_558,
    total: 95_437,
  },
  settings: { ...hebrewInvoice.settings, signatureBox: true },
  variant: { ...hebrewInvoice.variant, mark: 'certifiedCopy' },
}

export const arabicInvoice: PaperSource = {
  document: {
    type: 'taxInvoice',
    number: '2026-0318',
    date: '2026-11-20',
    madeAt,
    language: 'ar',
    currency: 'ILS',
    dueDate: '2026-12-20',
    terms: 'نهاية الشهر + 30',
    customerReference: 'SB-1184',
    notesBelow: [
      'الأسعار قبل ضريبة القيمة المضافة (18%)؛ الخضار والفواكه بنسبة 0%.',
      'للاستفسار: 04-555-0177، من 8:00 حتى 16:30.',
    ],
  },
  lines: [
    line('زيت زيتون بكر ممتاز، صفيحة 16 كغم', 6, 'صفيحة', 612, 367_200, { sku: 'OIL-EV/16' }),
    line('بندورة عنقودية طازجة', 84.75, 'كغم', 7.9, 66_953, { vat: 'zero' }),
    line('جبنة بيضاء 5% (عبوة 2.5 كغم)', 12, 'عبوة', 74.5, 84_930, { sku: 'CH-W5/2.5', discount: 500 }),
    line('زعتر بلدي مع سمسم، إرجاع جزئي', -3, 'كيس', 28, -8400, { sku: 'ZA-500' }),
    line('خدمة توصيل مبرّد Frigo-24 (حتى 80 كم)', 1, '', 180, 18_000),
  ],
  totals: {
    subtotal: 528_683,
    beforeVat: 528_683,
    vatRate: 1800,
    vat: 83_111,
    total: 611_794,
    classes: [
      { kind: 'standard', base: 461_730, rate: 1800, vat: 83_111 },
      { kind: 'zero', base: 66_953, rate: 0, vat: 0 },
    ],
  },
  business: {
    name: 'بيت الزيتونة للمواد الغذائية م.ض.',
    kind: 'licensedDealer',
    taxId: '777777731',
    address: ['شارع البشارة 27، الناصرة 1610001'],
    phone: '04-555-0177',
    email: 'hello@zaytuna-house.example',
    logo: hexagon([92, 112, 28]),
    bank: { bank: '10', branch: '871', account: '000177/30' },
  },
  customer: {
    name: 'مطعم ساحة البلد',
    contact: 'السيدة رنا خوري، المشتريات',
    address: ['شارع الميناء 6، عكا 2430006'],
    taxId: { kind: 'licensedDealer', number: '777777749' },
  },
  settings: { accent: '#5c701c', payLink: 'pinkas.example/p/3XC8Q' },
  variant: {
    mark: 'original',
    seal: { kind: 'plain', by: 'سامر حداد', at: madeAt, verifyLink: 'pinkas.example/v/MN20-77KP' },
  },
}

export const russianInvoice: PaperSource = {
  document: {
    type: 'taxInvoice',
    number: '50094',
    date: '2026-11-20',
    madeAt,
    language: 'ru',
    currency: 'ILS',
    dueDate: '2026-12-20',
    terms: '30 дней',
    customerReference: '№\u00a014/б',
    allocation: { state: 'granted', number: '482977301' },
    notesBelow: [
      'Гарантия на работы – 12 месяцев. Вопросы: 050-555-0163.',
      'Договор № 2026/41 от 02/10/2026.',
    ],
  },
  lines: [
    line('Демонтаж старой плитки и вывоз мусора', 1, 'усл.', 3400, 340_000, {
      text: 'Подъезд № 2, этажи 1–4; контейнер 8 м³',
    }),
    line('Плитка керамогранит 60×60, «серый бетон»', 46.08, 'м²', 118.5, 546_048, { sku: 'GR-6060/SB' }),
    line('Укладка плитки с затиркой Color-Flex+', 46.08, 'м²', 140, 599_962, { discount: 700 }),
    line('Грунтовка глубокого проникновения, 0.0125 т', 0.0125, 'т', 18_400, 23_000),
    line('Возврат: упаковка плинтуса (לא בשימוש)', -2, 'уп.', 96, -19_200, { sku: 'PL-80/W' }),
  ],
  totals: { subtotal: 1_489_810, beforeVat: 1_489_810, vatRate: 1800, vat: 268_166, total: 1_757_976 },
  business: {
    name: 'Студия «Берег» – ремонт и дизайн',
    kind: 'licensedDealer',
    taxId: '777777749',
    address: ['ул. А-Нассиим 19, Ашдод 7745119'],
    phone: '050-555-0163',
    email: 'studio@bereg.example',
    logo: hexagon([46, 94, 156]),
    bank: { bank: '20', branch: '441', account: '000163/84' },
  },
  customer: {
    name: 'Товарищество жильцов «Бен-Гурион, 41»',
    contact: 'Игорь Зильберман',
    address: ['ул. Бен-Гурион 41, Ашдод 7752341'],
    taxId: { kind: 'licensedDealer', number: '777777723' },
  },
  settings: { accent: '#2e5e9c', layout: 'modern', payLink: 'pinkas.example/p/5LD2W' },
  variant: {
    mark: 'original',
    seal: { kind: 'plain', by: 'Марина Левина', at: madeAt, verifyLink: 'pinkas.example/v/BR55-09WL' },
  },
}

/** Zero-rated export in dollars, with the shekel amounts the law asks for. */
export const englishInvoice: PaperSource = {
  document: {
    type: 'taxInvoice',
    number: '2026-0077',
    date: '2026-11-20',
    madeAt,
    language: 'en',
    currency: 'USD',
    dueDate: '2026-12-20',
    terms: 'Net 30',
    customerReference: 'HL-PO 88213',
    notesBelow: [
      'Zero-rated under section 30(a)(5) of the Israeli VAT Law.',
      'Thank you for working with us. Questions: billing@blue-acacia.example',
    ],
    exchange: {
      rate: '3.652',
      source: 'bank',
      date: '2026-11-19',
      beforeVat: 5_484_848,
      vat: 0,
      total: 5_484_848,
    },
  },
  lines: [
    line('Interface audit of the onboarding flow', 1, '', 4800, 480_000, {
      vat: 'zero',
      text: '41 screens, Hebrew (עברית) and English, WCAG 2.2 AA',
    }),
    line('Design system, sprint 7 of 9', 86.5, 'hrs', 115, 994_750, {
      vat: 'zero',
      text: 'Tokens, 23 components, right-to-left review',
    }),
    line('Priority support, November 2026', 1, '', 950, 76_000, {
      vat: 'zero',
      sku: 'SUP-P1/11',
      discount: 2000,
    }),
    line('Credit: hours moved to December', -4.25, 'hrs', 115, -48_875, { vat: 'zero' }),
  ],
  totals: { subtotal: 1_501_875, beforeVat: 1_501_875, vatRate: 0, vat: 0, total: 1_501_875 },
  business: {
    name: 'Blue Acacia Interfaces Ltd.',
    kind: 'company',
    taxId: '777777715',
    address: ['8 HaMelacha St., Tel Aviv-Yafo 6721504, Israel'],
    phone: '+972-3-555-0128',
    email: 'billing@blue-acacia.example',
    logo: hexagon([76, 63, 176]),
    bank: {
      bank: '10',
      branch: '800',
      account: '0055501',
      iban: 'IL62 0108 0000 0000 0055 501',
      swift: 'EXMPILIT',
    },
  },
  customer: {
    name: 'Harborlight Lantern, Inc.',
    contact: 'Accounts Payable',
    address: ['200 Harbor Way, Suite 14, Portland, ME 04101', 'United States'],
  },
  settings: { accent: '#4c3fb0', layout: 'modern', payLink: 'pinkas.example/p/2HV7A' },
  variant: {
    mark: 'original',
    seal: { kind: 'plain', by: 'Noa Barkai', at: madeAt, verifyLink: 'pinkas.example/v/BA77-20HL' },
  },
}

export const frenchInvoice: PaperSource = {
  document: {
    type: 'taxInvoiceReceipt',
    number: '70013',
    date: '2026-11-20',
    madeAt,
    language: 'fr',
    currency: 'ILS',
    paidOn: '2026-11-20',
    notesBelow: ['Merci de votre confiance\u00a0! Questions\u00a0: 02-555-0110.'],
  },
  lines: [
    line('Atelier de céramique, séance d’essai', 2, 'pers.', 180, 36_000),
    line('Terre chamottée «\u00a0Œuvre\u00a0» (סוג ב׳), 12,5 kg', 3, 'sac', 64.9, 18_497, {
      sku: 'TC-12/5',
      discount: 500,
    }),
    line('Cuisson au four, cône 6', 1, '', 95, 9500, { vat: 'exempt' }),
  ],
  totals: {
    subtotal: 63_997,
    beforeVat: 63_997,
    vatRate: 1800,
    vat: 9809,
    total: 73_806,
    classes: [
      { kind: 'standard', base: 54_497, rate: 1800, vat: 9809 },
      { kind: 'exempt', base: 9500 },
    ],
  },
  payments: {
    rows: [{ means: 'card', amount: 73_806, number: '118204', card: { brand: 'Visa', lastDigits: '0042' } }],
    received: 73_806,
    credited: 73_806,
  },
  business: {
    name: 'Atelier Terre & Lumière',
    kind: 'licensedDealer',
    taxId: '777777723',
    address: ['12 rue Yaffo, Jérusalem 9414212'],
    phone: '02-555-0110',
    email: 'bonjour@terre-lumiere.example',
  },
  customer: { name: 'Élodie Azoulay', address: ['7 rue des Prophètes, Jérusalem'] },
  settings: { accent: '#b4543a' },
  variant: {
    mark: 'copy',
    seal: { kind: 'secure', by: 'Camille Dahan', at: madeAt, verifyLink: 'pinkas.example/v/TL70-13' },
  },
}

/** Long texts, an option outside the sum, a box to sign. */
export const quote: PaperSource = {
  document: {
    type: 'priceQuote',
    number: 'Q-0226',
    date: '2026-11-20',
    madeAt,
    language: 'he',
    currency: 'ILS',
    validUntil: '2026-12-20',
    facts: [{ label: 'תחילת עבודה', value: 'כ־14 ימים מהאישור' }],
    notesAbove:
      'שלום נועה ואיתי, תודה על הביקור בשבוע שעבר. להלן הצעתנו לשיקום הגינה הקדמית והאחורית, לפי מה שסיכמנו ב־12/11.',
    notesBelow: [
      'תנאי תשלום: 30% בהזמנה, 40% בסיום ההשקיה, 30% במסירה.',
      'המחיר אינו כולל סלעים מתחת ל־30 ס״מ (אם יימצאו: 280 ₪ לשעת מיני־מחפרון).',
    ],
  },
  lines: [
    line('תכנון הגינה ותוכנית השקיה', 1, '', 4200, 420_000, {
      text: 'מדידה בשטח, תוכנית העמדה בקנה מידה 1:50, בחירת צמחים חסכוני־מים (לפחות 60%), תוכנית השקיה לפי אזורי לחץ ופגישת הצגה אחת. כולל סבב תיקונים אחד; כל סבב נוסף: 350 ₪.',
    }),
    line('הכנת קרקע ופינוי', 180, 'מ״ר', 38, 684_000, {
      text: 'חישוף עשבייה בשטח של כ־180 מ״ר, תיחוח לעומק 30 ס״מ, תוספת קומפוסט (4 מ״ק) ופינוי פסולת לאתר מורשה. מחיר הפינוי מבוסס על מכולה אחת של 8 מ״ק.',
    }),
    line('מערכת השקיה Drip-Line Pro (16 מ״מ, 1.6 ל׳/שעה)', 1, '', 6890, 689_000, {
      sku: 'IR-TL16/1.6',
      text: 'ראש מערכת עם מסנן mesh 120, מקטין לחץ ל־2.5 בר, 6 הפעלות, מחשב Garden-Timer X8 (8 תחנות) וחיישן גשם. אחריות 24 חודשים על החלקים, 12 חודשים על העבודה.',
    }),
    line('דק אורן פיני מטופל, מישורי', 24.5, 'מ״ר', 410, 924_140, {
      discount: 800,
      text: 'קונסטרוקציה 9×4 ס״מ כל 40 ס״מ, ברגי נירוסטה, שימון בשתי שכבות.',
    }),
    line('אופציה: תאורת גינה 12V, עשרה גופים', 0, '', 0, 0, {
      optional: true,
      text: 'אינו כלול בסכום. המחיר: 3,150 ₪ לפני מע״מ, בתוקף עם ההצעה.',
    }),
  ],
  totals: { subtotal: 2_717_140, beforeVat: 2_717_140, vatRate: 1800, vat: 489_085, total: 3_206_225 },
  business: {
    name: 'סטודיו רקפת – גינון ונוף',
    kind: 'licensedDealer',
    taxId: '777777731',
    address: ['משק 31, כפר יחזקאל 1812500'],
    phone: '052-555-0119',
    email: 'shalom@rakefet-garden.example',
    logo: hexagon([139, 44, 96]),
  },
  customer: { name: 'משפחת אורן־שגיא', address: ['רח׳ האלה 5, קריית טבעון 3650005'], phone: '054-555-0186' },
  settings: { accent: '#8b2c60', signatureBox: true, acceptLink: 'pinkas.example/q/8WB1K' },
  variant: { mark: 'original' },
}

export const receipt: PaperSource = {
  document: {
    type: 'receipt',
    number: '200301',
    date: '2026-11-05',
    madeAt,
    language: 'he',
    currency: 'ILS',
  },
  lines: [],
  payments: {
    rows: [
      {
        means: 'cheque',
        bank: '10',
        branch: '914',
        account: '338/0142',
        number: '5000299',
        due: '2026-11-05',
        amount: 354_000,
      },
    ],
    received: 354_000,
    withheld: { amount: 18_632, rate: 500 },
    credited: 372_632,
    closes: [
      { document: 'חשבונית מס 100391', date: '2026-09-03', total: 354_000, paid: 354_000 },
      { document: 'חשבונית מס 100430', date: '2026-10-09', total: 731_600, paid: 18_632 },
    ],
  },
  business: aluma,
  customer: hapekan,
  settings: hebrewInvoice.settings,
  variant: hebrewInvoice.variant,
}

export const deliveryNote: PaperSource = {
  document: {
    type: 'deliveryNote',
    number: '2084',
    date: '2026-11-18',
    madeAt,
    language: 'he',
    currency: 'ILS',
    customerReference: 'PO-2026/114-B',
    deliverTo: ['מחסן צפון', 'דרך העצמאות 40', 'חיפה 3303405', 'רון, 050-0000001'],
  },
  lines: [
    line('לוח חשמל ראשי 3×63A', 1, 'יח׳', 3850, 385_000, { sku: 'EL-3X63/A', ordered: 10_000, left: 0 }),
    line('גוף תאורה LED 40W (4000K), שקוע', 20, 'יח׳', 189, 378_000, {
      sku: 'LT-LED40/S',
      ordered: 240_000,
      left: 40_000,
    }),
  ],
  business: aluma,
  customer: hapekan,
  settings: { ...hebrewInvoice.settings, signatureBox: true },
  variant: { mark: 'original' },
}

/** The till of a café: everything on 80 mm. */
export const slip: PaperSource = {
  document: {
    type: 'taxInvoiceReceipt',
    number: '71-004418',
    date: '2026-11-20',
    madeAt: new Date('2026-11-20T09:47:00+02:00'),
    language: 'he',
    currency: 'ILS',
  },
  lines: [
    line('קפה הפוך גדול', 2, '', 17, 3400),
    line('כריך חלומי (ללא גלוטן)', 1, '', 46, 4600),
    line('מיץ תפוזים 330 מ״ל', 2, '', 14.5, 2900),
    line('עוגת גזר, פרוסה', 1, '', 28, 2800),
  ],
  totals: {
    subtotal: 13_700,
    discount: { amount: 1370, rate: 1000 },
    beforeVat: 10_449,
    vatRate: 1800,
    vat: 1881,
    total: 12_330,
  },
  payments: {
    rows: [
      { means: 'card', amount: 10_000, card: { brand: 'ויזה', lastDigits: '4821' } },
      { means: 'cash', amount: 5000 },
    ],
    received: 12_330,
    credited: 12_330,
    change: 2670,
  },
  business: {
    name: 'קפה שקמה הקטנה',
    kind: 'licensedDealer',
    taxId: '777777749',
    address: ['רח׳ השקמה 3, גבעתיים 5324411'],
    phone: '03-555-0155',
    logo: hexagon([0, 0, 0]),
  },
  customer: { name: 'לקוח מזדמן' },
  settings: { till: '2, אפרת', slipGoodbye: 'תודה ולהתראות' },
  variant: {
    mark: 'original',
    layout: 'slip',
    seal: { kind: 'plain', by: 'אפרת', at: madeAt, verifyLink: 'pinkas.example/v/CF71-0441' },
  },
}

/**
 * Everything that could break a page: long names, amounts of twelve digits, no logo, Latin in Hebrew, brackets and
 * signs, emoji.
 */
export const stress: PaperSource = {
  ...hebrewInvoice,
  document: {
    ...hebrewInvoice.document,
    number: 'A/2026-000000482',
    customerReference: 'PO-2026/114-B/REV.7 (final, signed)',
    notesBelow: [
      'תודה 🙂 רבה ✓ (ראו סעיף 4[ב] ו־{ג}) – 50%+, "מחיר" <סופי> #1 @home; 10–12 & 漢字.',
      'Only Latin here: see https://example.com/a/very/long/path?with=query&and=more, thanks.',
    ],
  },
  lines: [
    line(
      'Uninterruptible power supply 3000VA (rack mount, 2U), with batteries',
      12_345,
      'יח׳',
      98_765.4321,
      121_925_925_927,
      {
        sku: 'UPS-3000VA-RACK-2U-LONG-CODE',
      },
    ),
    line(
      'כבל רשת CAT-6A S/FTP, אפור, 305 מ׳ (גליל) [מק״ט ספק: 7001-0_B] {דחוף!}',
      0.0001,
      'גליל גדול',
      0.0001,
      0,
      {
        discount: 3333,
        text: 'שורה ראשונה\nשורה שנייה: 5°C…+40°C, ±3%, 16:9, C#/C++, 50+\nשורה שלישית',
      },
    ),
    line('החזר גדול במיוחד', -100, 'יח׳', 1_234_567.89, -12_345_678_900),
    { kind: 'heading', name: 'פרק ב: עבודות', quantity: 0, unitPrice: 0, vat: 'standard', total: 0 },
    line('עבודה', 1, '', 1, 100, { vat: 'exempt' }),
  ],
  totals: {
    subtotal: 109_580_247_127,
    discount: { amount: 100_000_000 },
    beforeVat: 109_480_247_127,
    vatRate: 1800,
    vat: 19_706_444_465,
    rounding: -8,
    total: 129_186_691_584,
    classes: [
      { kind: 'standard', base: 109_480_247_027, rate: 1800, vat: 19_706_444_465 },
      { kind: 'exempt', base: 100 },
    ],
  },
  business: {
    ...aluma,
    logo: undefined,
    name: 'החברה הישראלית המאוחדת לאספקת מערכות חשמל, תאורה, תקשורת, בקרה ומיזוג אוויר (2004) בע״מ',
  },
  customer: {
    ...hapekan!,
    name: 'המועצה המקומית המאוחדת לענייני תשתיות, ביוב, ניקוז ותאורת רחובות – אגף הרכש והמכרזים, יחידה 4',
  },
}

/** Every picture by name, for the tests and for looking. */
export const pictures = {
  he: hebrewInvoice,
  invoiceReceipt,
  credit: creditInvoice,
  ar: arabicInvoice,
  ru: russianInvoice,
  en: englishInvoice,
  fr: frenchInvoice,
  quote,
  receipt,
  deliveryNote,
  slip,
  stress,
} satisfies Record<string, PaperSource>

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
    return line(
      `${name}, ${floors[Math.floor((at * 4) / count)]}`,
      quantity,
      unit,
      price,
      Math.round(quantity * price * 100),
      sku ? { sku } : {},
    )
  })
  const beforeVat = lines.reduce((sum, { total }) => sum + total, 0)
  const vat = Math.round(beforeVat * 0.18)
  return {
    ...hebrewInvoice,
    document: {
      ...hebrewInvoice.document,
      number: '100517',
      notesBelow: ['החשבונית מרכזת את תעודות משלוח 2084 עד 2091 מנובמבר 2026.'],
    },
    lines,
    totals: { subtotal: beforeVat, beforeVat, vatRate: 1800, vat, total: beforeVat + vat },
    settings: { ...hebrewInvoice.settings, skuColumn: true },
  }
}

export const statement: StatementSource = {
  language: 'he',
  currency: 'ILS',
  from: '2026-09-01',
  to: '2026-11-20',
  madeAt,
  customerNumber: 'C-1042',
  opening: 412_000,
  charged: 3_274_960,
  credited: 834_192,
  balance: 2_852_768,
  entries: [
    { date: '2026-09-01', document: 'יתרת פתיחה', debit: 412_000, balance: 412_000 },
    {
      date: '2026-09-03',
      document: 'חשבונית מס 100391',
      details: 'שירות חודשי, ספטמבר',
      due: '2026-10-03',
      debit: 354_000,
      balance: 766_000,
    },
    {
      date: '2026-09-14',
      document: 'קבלה 200288',
      details: 'העברה, אסמכתא 77120',
      credit: 412_000,
      balance: 354_000,
    },
    {
      date: '2026-10-01',
      document: 'חשבונית מס 100417',
      details: 'שירות חודשי, אוקטובר',
      due: '2026-10-31',
      debit: 354_000,
      balance: 708_000,
    },
    {
      date: '2026-10-09',
      document: 'חשבונית מס 100430',
      details: 'החלפת לוח 3×63A, חניון 2-',
      due: '2026-11-08',
      debit: 731_600,
      balance: 1_439_600,
    },
    {
      date: '2026-10-21',
      document: 'חשבונית מס זיכוי 400027',
      details: 'תיקון לחשבונית 100430 (שעתיים)',
      credit: 49_560,
      balance: 1_390_040,
    },
    {
      date: '2026-11-05',
      document: 'קבלה 200301',
      details: 'שיק 5000299, בנק 10-914',
      credit: 354_000,
      balance: 1_036_040,
    },
    {
      date: '2026-11-05',
      document: 'ניכוי מס במקור 200301',
      details: '5% על קבלה 200301',
      credit: 18_632,
      balance: 1_017_408,
    },
    {
      date: '2026-11-20',
      document: 'חשבונית מס 100482',
      details: 'הזמנה PO-2026/114-B',
      due: '2026-12-20',
      debit: 1_835_360,
      balance: 2_852_768,
    },
  ],
  ageing: [1_835_360, 690_040, 327_368, 0, 0],
  notes: [
    'נשמח לקבל את הסכומים שבאיחור עד 30/11/2026. אם שילמתם בינתיים, אנא התעלמו.',
    'לבירור: 04-555-0142 שלוחה 3 (דנה).',
  ],
  business: aluma,
  customer: hapekan!,
  settings: { accent: '#12695f', payLink: 'pinkas.example/s/C1042' },
}

/** A small hexagon as PNG, so that no picture file is needed. */
function hexagon([red, green, blue]: [number, number, number]): Uint8Array {
  const size = 220
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [dx, dy] = [Math.abs(x - size / 2) / (size / 2), Math.abs(y - size / 2) / (size / 2)]
      const inside = dx <= 0.87 && dy + dx * 0.577 <= 1
      const bolt =
        inside &&
        Math.abs(x - size / 2 + (y - size / 2) * 0.35 - (y > size / 2 ? -16 : 16)) <
          22 * (1 - Math.abs(dy - 0.05)) &&
        dy < 0.62
      rows.set(
        bolt ? [244, 178, 60, 255] : [red, green, blue, inside ? 255 : 0],
        y * (size * 4 + 1) + 1 + x * 4,
      )
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
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
