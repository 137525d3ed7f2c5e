import { completeCheckDigit } from '#domain/taxId.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'

/** Bills of one supplier: how often, how much, and how they are paid. Amounts are before VAT. */
export interface DemoExpense {
  supplier?: { name: string; taxId?: string }
  /** Key of the kind of expense, or two of them and the second one's sum. */
  type: string
  agorot: number
  second?: { type: string; agorot: number }
  details?: string
  means: 'onCredit' | 'bank' | 'card' | 'cash'
  /** So many months apart, beginning with the `from`th of the year; several in one month by `times`. */
  every: number
  from?: number
  times?: number
  /** A fixed day of the month, for what comes back by contract. */
  day?: number
  vat?: false
  currency?: { code: string; rate: string }
  /** Expected each time, and missed when it does not come. */
  recurring?: { name: string; cycle: 'monthly' | 'twoMonthly' | 'yearly' }
  paper?: 'receipt' | 'byLaw'
}

/** The small believable world that demo, tests and pictures share. All names and numbers are invented. */
export interface DemoBusiness {
  key: string
  name: string
  kind: BusinessKind
  taxId: string
  owner: string
  street: string
  city: string
  zip: string
  phone: string
  accent: string
  vatPeriodMonths: 1 | 2
  dueTerms: string
  customers: {
    name: string
    taxId?: string
    isDealer?: boolean
    city: string
    email: string
    phone: string
    language?: 'he' | 'en' | 'ar' | 'ru'
    zeroRate?: boolean
    dueTerms?: string
    creditLimitAgorot?: number
  }[]
  /** `cost` is what one costs the business, in the currency of its price. */
  items: {
    name: string
    sku: string
    unit: string
    price: string
    cost: string
    details?: string
    currency?: string
  }[]
  /** With the certificate of each: its rate, how far from today it ends, and up to which sum it holds. */
  suppliers: {
    name: string
    city: string
    values: Record<string, unknown>
    certificate?: { rateBp: number; days: number; ceilingAgorot?: number; booksValid?: boolean }
    /** Paid elsewhere since a few days ago. */
    movedTo?: { bankCode: number; bankBranch: string; bankAccount: string }
  }[]
  withholdingFile?: string
  /** Invoices a month, roughly; the year has its seasons. */
  pace: number
  /** What it buys, from whom; wages are not bills and are listed separately. */
  expenses: DemoExpense[]
  wagesAgorot?: number
}

const id = completeCheckDigit

export const plumber: DemoBusiness = {
  key: 'plumber',
  name: 'זרם טוב – אינסטלציה וגז',
  kind: 'licensedDealer',
  taxId: id('30556677'),
  owner: 'נועה ורדי',
  street: 'רחוב הרימון 8',
  city: 'כפר יונה',
  zip: '4032108',
  phone: '050-555-0142',
  accent: '#0b5d52',
  vatPeriodMonths: 2,
  dueTerms: 'eom:30',
  customers: [
    {
      name: 'מוסך הציר הירוק בע״מ',
      taxId: id('51455667'),
      isDealer: true,
      city: 'נתניה',
      email: 'office@green-axle.example',
      phone: '09-555-0111',
      creditLimitAgorot: 2_500_000,
    },
    {
      name: 'מאפיית שיפון הגליל',
      taxId: id('30112233'),
      isDealer: true,
      city: 'כרמיאל',
      email: 'rye@galil.example',
      phone: '04-555-0123',
    },
    { name: 'ועד בית האלה 14', city: 'כפר יונה', email: 'vaad@ela14.example', phone: '052-555-0187' },
    {
      name: 'גן הילדים פעמוני הכרם',
      taxId: id('58011223'),
      isDealer: false,
      city: 'צור משה',
      email: 'gan@kerem.example',
      phone: '09-555-0155',
    },
    {
      name: 'סטודיו תכלת־שבע',
      taxId: id('30445566'),
      isDealer: true,
      city: 'באר שבע',
      email: 'hello@tchelet7.example',
      phone: '08-555-0177',
    },
    {
      name: 'مطعم الزعتر والليمون',
      taxId: id('30778899'),
      isDealer: true,
      city: 'الطيبة',
      email: 'info@zaatar.example',
      phone: '09-555-0199',
      language: 'ar',
    },
    {
      name: 'Blue Fig Hosting Ltd.',
      taxId: id('51566778'),
      isDealer: true,
      city: 'Herzliya',
      email: 'ap@bluefig.example',
      phone: '09-555-0166',
      language: 'en',
    },
    {
      name: 'מרפאת שיניים ד״ר ש. אביטל־כהן',
      taxId: id('30889911'),
      isDealer: true,
      city: 'רעננה',
      email: 'clinic@avital.example',
      phone: '09-555-0133',
    },
    { name: 'חוות הסוסים עמק הדס', city: 'מושב הדס', email: 'horses@hadas.example', phone: '054-555-0122' },
    {
      name: 'Ирина Левина',
      city: 'Хадера',
      email: 'irina@levina.example',
      phone: '053-555-0144',
      language: 'ru',
      dueTerms: 'now',
    },
    {
      name: 'קייטרינג שבעת המינים',
      taxId: id('51677889'),
      isDealer: true,
      city: 'נתניה',
      email: 'events@seven.example',
      phone: '09-555-0188',
    },
    {
      name: 'ספריית רחוב הרימון',
      taxId: id('58022334'),
      city: 'כפר יונה',
      email: 'books@rimon.example',
      phone: '09-555-0100',
    },
  ],
  items: [
    { name: 'ביקור ואבחון', sku: 'VISIT', unit: 'ביקור', price: '280', cost: '95' },
    { name: 'שעת עבודה', sku: 'HOUR', unit: 'שעה', price: '260', cost: '110' },
    { name: 'פתיחת סתימה במכונה', sku: 'DRAIN-M', unit: 'יח׳', price: '650', cost: '240' },
    {
      name: 'החלפת ברז מטבח',
      sku: 'TAP-K',
      unit: 'יח׳',
      price: '540',
      cost: '310',
      details: 'כולל ברז מיקסר תקני',
    },
    { name: 'צינור PEX 16×2', sku: 'PEX-16X2', unit: 'מ׳', price: '11.4', cost: '6.2' },
    {
      name: 'דוד שמש 150 ליטר',
      sku: 'SOLAR-150',
      unit: 'יח׳',
      price: '3480',
      cost: '2350',
      details: 'כולל התקנה על גג קיים',
    },
    { name: 'בדיקת לחץ גז ואישור', sku: 'GAS-CERT', unit: 'אישור', price: '420', cost: '130' },
    { name: 'החלפת קו ביוב', sku: 'SEWER', unit: 'מ׳', price: '385', cost: '215' },
    { name: 'תחזוקה חודשית', sku: 'MAINT', unit: 'חודש', price: '890', cost: '420' },
  ],
  withholdingFile: '930556677',
  suppliers: [
    {
      name: 'צינורות ומחברים הגליל בע״מ',
      city: 'כרמיאל',
      values: {
        taxId: id('51788990'),
        occupation: 'מסחר בצנרת',
        dealerKind: 'company',
        contact: 'סיגל',
        email: 'orders@galil-pipes.example',
        phone: '04-555-0190',
        dueTerms: 'eom:30',
        withholdingKind: '06',
        bankCode: 12,
        bankBranch: '613',
        bankAccount: '284100',
      },
      certificate: { rateBp: 0, days: 190 },
    },
    {
      name: 'דלקי הסהר',
      city: 'נתניה',
      values: {
        taxId: id('51899001'),
        occupation: 'תחנת דלק',
        dealerKind: 'company',
        phone: '09-555-0170',
        dueTerms: 'eom:0',
        bankCode: 20,
        bankBranch: '456',
        bankAccount: '118201',
      },
      certificate: { rateBp: 0, days: 190 },
    },
    {
      name: 'יונתן אמסלם, קבלן משנה',
      city: 'חדרה',
      values: {
        taxId: id('30445566'),
        occupation: 'עבודות אינסטלציה',
        dealerKind: 'licensed',
        email: 'yonatan@amsalem.example',
        mobile: '054-555-0191',
        dueTerms: 'net:14',
        withholdingKind: '06',
        bankCode: 31,
        bankBranch: '048',
        bankAccount: '220300',
      },
      certificate: { rateBp: 500, days: 18, ceilingAgorot: 12_000_000 },
      movedTo: { bankCode: 31, bankBranch: '048', bankAccount: '220302' },
    },
    {
      name: 'סוכנות ביטוח מגדלור השרון',
      city: 'כפר סבא',
      values: {
        taxId: id('51900112'),
        occupation: 'סוכנות ביטוח',
        dealerKind: 'company',
        phone: '09-555-0199',
        withholdingKind: '02',
      },
      certificate: { rateBp: 1000, days: 190, booksValid: false },
    },
    {
      name: 'נייר ומחשב כפר יונה',
      city: 'כפר יונה',
      values: { taxId: id('30667788'), dealerKind: 'exempt', phone: '09-555-0121', dueTerms: 'now' },
    },
  ],
  pace: 7,
  expenses: [
    {
      supplier: { name: 'מחסני השרון השכרת נכסים בע״מ', taxId: id('51781112') },
      type: 'rent',
      agorot: 280_000,
      means: 'bank',
      every: 1,
      day: 1,
      recurring: { name: 'שכירות המחסן', cycle: 'monthly' },
    },
    {
      supplier: { name: 'קשת תקשורת בע״מ', taxId: id('51799001') },
      type: 'mobilePhone',
      agorot: 18_900,
      second: { type: 'phoneAndInternet', agorot: 12_900 },
      means: 'card',
      every: 1,
      day: 12,
      recurring: { name: 'טלפון ואינטרנט', cycle: 'monthly' },
    },
    { supplier: { name: 'דלקי הסהר' }, type: 'fuel', agorot: 62_000, means: 'card', every: 1, times: 3 },
    {
      supplier: { name: 'צינורות ומחברים הגליל בע״מ' },
      type: 'materials',
      agorot: 310_000,
      means: 'onCredit',
      every: 1,
      times: 2,
    },
    {
      supplier: { name: 'צינורות ומחברים הגליל בע״מ' },
      type: 'materials',
      agorot: -38_000,
      details: 'החזרת סחורה',
      means: 'onCredit',
      every: 12,
      from: 7,
    },
    {
      supplier: { name: 'נייר ומחשב כפר יונה' },
      type: 'officeSupplies',
      agorot: 14_000,
      means: 'card',
      every: 1,
      vat: false,
      paper: 'receipt',
    },
    {
      supplier: { name: 'יונתן אמסלם, קבלן משנה' },
      type: 'subcontractors',
      agorot: 240_000,
      means: 'onCredit',
      every: 2,
      from: 1,
    },
    {
      supplier: { name: 'גלית נאור, רואת חשבון', taxId: id('30992233') },
      type: 'accountant',
      agorot: 65_000,
      means: 'bank',
      every: 1,
      day: 25,
      recurring: { name: 'הנהלת חשבונות', cycle: 'monthly' },
    },
    {
      supplier: { name: 'חשמל הארץ', taxId: id('52000472') },
      type: 'electricity',
      agorot: 48_000,
      means: 'bank',
      every: 2,
      day: 8,
      recurring: { name: 'חשמל', cycle: 'twoMonthly' },
    },
    {
      supplier: { name: 'סוכנות ביטוח מגדלור השרון' },
      type: 'insurance',
      agorot: 412_000,
      second: { type: 'vehicleInsurance', agorot: 286_000 },
      means: 'bank',
      every: 12,
      from: 2,
      vat: false,
      paper: 'byLaw',
    },
    {
      supplier: { name: 'מוסך הציר הירוק בע״מ', taxId: id('51455667') },
      type: 'vehicleUpkeep',
      agorot: 138_000,
      means: 'card',
      every: 4,
    },
    {
      supplier: { name: 'שלט וצבע פרסום', taxId: id('30993344') },
      type: 'advertising',
      agorot: 95_000,
      means: 'card',
      every: 3,
      from: 1,
    },
    {
      supplier: { name: 'מכולת הרימון', taxId: id('30994455') },
      type: 'refreshments',
      agorot: 9_800,
      means: 'card',
      every: 1,
    },
    {
      type: 'parkingAndTolls',
      agorot: 3_500,
      details: 'חניון',
      means: 'cash',
      every: 1,
      vat: false,
      paper: 'receipt',
    },
    {
      supplier: { name: 'כלי עבודה הצפון בע״מ', taxId: id('51733445') },
      type: 'equipment',
      agorot: 468_000,
      details: 'מכונת פתיחת סתימות',
      means: 'bank',
      every: 12,
      from: 4,
    },
    {
      supplier: { name: 'מחשבי העמק', taxId: id('30995566') },
      type: 'computers',
      agorot: 389_000,
      details: 'מחשב נייד',
      means: 'card',
      every: 12,
      from: 9,
    },
  ],
}

export const exporter: DemoBusiness = {
  key: 'company',
  name: 'אלומת הצפון מערכות חשמל בע״מ',
  kind: 'company',
  taxId: id('51234567'),
  owner: 'דנה לוי',
  street: 'דרך הארבעה 14',
  city: 'חיפה',
  zip: '3300142',
  phone: '04-555-0142',
  accent: '#12695f',
  vatPeriodMonths: 1,
  dueTerms: 'eom:60',
  customers: [
    {
      name: 'גן הפקאן ניהול נכסים בע״מ',
      taxId: id('51345678'),
      isDealer: true,
      city: 'חיפה',
      email: 'ap@pecan.example',
      phone: '04-555-0111',
      creditLimitAgorot: 20_000_000,
    },
    {
      name: 'Nordlicht Anlagenbau GmbH',
      city: 'Hamburg',
      email: 'buchhaltung@nordlicht.example',
      phone: '+49 40 5550 123',
      language: 'en',
      zeroRate: true,
    },
    {
      name: 'קבלני הכרמל והצפון בע״מ',
      taxId: id('51456789'),
      isDealer: true,
      city: 'נשר',
      email: 'office@carmel.example',
      phone: '04-555-0122',
    },
    {
      name: 'Maple Ridge Robotics Inc.',
      city: 'Toronto',
      email: 'ap@mapleridge.example',
      phone: '+1 416 555 0100',
      language: 'en',
      zeroRate: true,
    },
    {
      name: 'بلدية وادي الزيتون',
      taxId: id('50055667'),
      city: 'وادي الزيتون',
      email: 'finance@zaytoun.example',
      phone: '04-555-0166',
      language: 'ar',
    },
  ],
  items: [
    { name: 'לוח חשמל ראשי 3×63A', sku: 'EL-3X63/A', unit: 'יח׳', price: '3850', cost: '2640' },
    { name: 'כבל N2XY 5×10 ממ״ר', sku: 'CB-N2XY-5X10', unit: 'מ׳', price: '38.4', cost: '27.9' },
    { name: 'גוף תאורה LED 40W (4000K)', sku: 'LT-LED40/S', unit: 'יח׳', price: '189', cost: '118' },
    { name: 'פס השוואת פוטנציאלים, נחושת', sku: 'CU-PE+12', unit: 'ק״ג', price: '61.2', cost: '47.5' },
    {
      name: 'Control cabinet, type B',
      sku: 'CAB-B',
      unit: 'pc',
      price: '4200',
      cost: '2900',
      currency: 'EUR',
    },
  ],
  withholdingFile: '951234567',
  suppliers: [
    {
      name: 'כבלי השפלה תעשיות בע״מ',
      city: 'רמלה',
      values: {
        taxId: id('51011223'),
        occupation: 'ייצור כבלים',
        dealerKind: 'company',
        email: 'sales@shfela-cables.example',
        phone: '08-555-0144',
        dueTerms: 'eom:60',
        withholdingKind: '06',
        bankCode: 10,
        bankBranch: '902',
        bankAccount: '1284514',
      },
      certificate: { rateBp: 0, days: 120 },
    },
    {
      name: 'Helios Kabeltechnik GmbH',
      city: 'Köln',
      values: {
        dealerKind: 'foreign',
        language: 'en',
        email: 'rechnung@helios-kabel.example',
        country: 'Deutschland',
        dueTerms: 'net:30',
        withholdingKind: '07',
        iban: 'DE89370400440532013000',
      },
    },
    {
      name: 'נכסי דרך הארבעה בע״מ',
      city: 'חיפה',
      values: {
        taxId: id('51022334'),
        occupation: 'השכרת נכסים',
        dealerKind: 'company',
        phone: '04-555-0177',
        dueTerms: 'now',
        withholdingKind: '13',
        bankCode: 11,
        bankBranch: '127',
        bankAccount: '90211405',
      },
      certificate: { rateBp: 1000, days: 25 },
    },
  ],
  pace: 11,
  wagesAgorot: 5_800_000,
  expenses: [
    {
      supplier: { name: 'כבלי השפלה תעשיות בע״מ' },
      type: 'materials',
      agorot: 1_950_000,
      means: 'onCredit',
      every: 1,
      times: 2,
    },
    {
      supplier: { name: 'נכסי דרך הארבעה בע״מ' },
      type: 'rent',
      agorot: 1_150_000,
      means: 'bank',
      every: 1,
      day: 1,
      recurring: { name: 'שכירות המפעל', cycle: 'monthly' },
    },
    {
      supplier: { name: 'Northwind Cloud Inc.' },
      type: 'software',
      agorot: 42_000,
      means: 'card',
      every: 1,
      day: 15,
      vat: false,
      currency: { code: 'USD', rate: '3.65' },
      paper: 'byLaw',
    },
    {
      supplier: { name: 'חשמל הארץ', taxId: id('52000472') },
      type: 'electricity',
      agorot: 640_000,
      means: 'bank',
      every: 2,
      day: 8,
      recurring: { name: 'חשמל', cycle: 'twoMonthly' },
    },
    {
      supplier: { name: 'ליסינג הגליל בע״מ', taxId: id('51766778') },
      type: 'vehicleLease',
      agorot: 310_000,
      means: 'bank',
      every: 1,
      day: 5,
    },
    {
      supplier: { name: 'מכונות דיוק בע״מ', taxId: id('51777889') },
      type: 'equipment',
      agorot: 8_650_000,
      details: 'מכונת חיתוך כבלים',
      means: 'onCredit',
      every: 12,
      from: 5,
    },
  ],
}

export const exempt: DemoBusiness = {
  key: 'exempt',
  name: 'שיעורי פסנתר עם מאיה',
  kind: 'exemptDealer',
  taxId: id('30223344'),
  owner: 'מאיה שדה',
  street: 'שביל החצב 3',
  city: 'פרדס חנה',
  zip: '3704501',
  phone: '054-555-0133',
  accent: '#7a4b86',
  vatPeriodMonths: 2,
  dueTerms: 'now',
  customers: [
    { name: 'משפחת ברק', city: 'פרדס חנה', email: 'barak@family.example', phone: '052-555-0111' },
    { name: 'משפחת אלון־גולן', city: 'כרכור', email: 'alon@family.example', phone: '052-555-0122' },
  ],
  items: [{ name: 'שיעור פרטי 45 דקות', sku: 'L45', unit: 'שיעור', price: '160', cost: '20' }],
  suppliers: [],
  pace: 0,
  expenses: [],
}

export const businesses = [plumber, exporter, exempt]
