import { completeCheckDigit } from '../../../domain/taxId.ts'
import type { BusinessKind } from '../../../domain/documents/kinds.ts'

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
  items: { name: string; sku: string; unit: string; price: string; details?: string; currency?: string }[]
  /** Invoices a month, roughly; the year has its seasons. */
  pace: number
  expenses: { account: string; monthlyAgorot: number }[]
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
    { name: 'מאפיית שיפון הגליל', taxId: id('30112233'), isDealer: true, city: 'כרמיאל', email: 'rye@galil.example', phone: '04-555-0123' },
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
    { name: 'Ирина Левина', city: 'Хадера', email: 'irina@levina.example', phone: '053-555-0144', language: 'ru', dueTerms: 'now' },
    {
      name: 'קייטרינג שבעת המינים',
      taxId: id('51677889'),
      isDealer: true,
      city: 'נתניה',
      email: 'events@seven.example',
      phone: '09-555-0188',
    },
    { name: 'ספריית רחוב הרימון', taxId: id('58022334'), city: 'כפר יונה', email: 'books@rimon.example', phone: '09-555-0100' },
  ],
  items: [
    { name: 'ביקור ואבחון', sku: 'VISIT', unit: 'ביקור', price: '280' },
    { name: 'שעת עבודה', sku: 'HOUR', unit: 'שעה', price: '260' },
    { name: 'פתיחת סתימה במכונה', sku: 'DRAIN-M', unit: 'יח׳', price: '650' },
    { name: 'החלפת ברז מטבח', sku: 'TAP-K', unit: 'יח׳', price: '540', details: 'כולל ברז מיקסר תקני' },
    { name: 'צינור PEX 16×2', sku: 'PEX-16X2', unit: 'מ׳', price: '11.4' },
    { name: 'דוד שמש 150 ליטר', sku: 'SOLAR-150', unit: 'יח׳', price: '3480', details: 'כולל התקנה על גג קיים' },
    { name: 'בדיקת לחץ גז ואישור', sku: 'GAS-CERT', unit: 'אישור', price: '420' },
    { name: 'החלפת קו ביוב', sku: 'SEWER', unit: 'מ׳', price: '385' },
    { name: 'תחזוקה חודשית', sku: 'MAINT', unit: 'חודש', price: '890' },
  ],
  pace: 7,
  expenses: [
    { account: 'fuel', monthlyAgorot: 186_000 },
    { account: 'office', monthlyAgorot: 42_000 },
    { account: 'purchases', monthlyAgorot: 640_000 },
    { account: 'insurance', monthlyAgorot: 58_000 },
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
    { name: 'לוח חשמל ראשי 3×63A', sku: 'EL-3X63/A', unit: 'יח׳', price: '3850' },
    { name: 'כבל N2XY 5×10 ממ״ר', sku: 'CB-N2XY-5X10', unit: 'מ׳', price: '38.4' },
    { name: 'גוף תאורה LED 40W (4000K)', sku: 'LT-LED40/S', unit: 'יח׳', price: '189' },
    { name: 'פס השוואת פוטנציאלים, נחושת', sku: 'CU-PE+12', unit: 'ק״ג', price: '61.2' },
    { name: 'Control cabinet, type B', sku: 'CAB-B', unit: 'pc', price: '4200', currency: 'EUR' },
  ],
  pace: 11,
  expenses: [
    { account: 'wages', monthlyAgorot: 5_800_000 },
    { account: 'purchases', monthlyAgorot: 3_900_000 },
    { account: 'rent', monthlyAgorot: 1_150_000 },
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
  items: [{ name: 'שיעור פרטי 45 דקות', sku: 'L45', unit: 'שיעור', price: '160' }],
  pace: 0,
  expenses: [],
}

export const businesses = [plumber, exporter, exempt]
