import { defineResource } from '#kit/describe/resource.ts'
import { choice, day, flag, longText, moment, number, phone, quantity, ref, text } from '#kit/fields/field.ts'

const allow = { see: 'pest.see', change: 'pest.change' }
const list = '/invoice/InvoiceCustomersMadbir'

/** Where a customer is treated; when it was last done and when it is due is kept by the treatments. */
export const pestSites = defineResource({
  name: 'pestsites',
  table: 'pest_sites',
  title: 'name',
  hint: 'address',
  fields: {
    customerId: ref('customers', { need: true }),
    name: text({ need: true, max: 120 }),
    address: text({ max: 200, start: '' }),
    contact: text({ max: 120, start: '' }),
    phone: phone({ start: '' }),
    notes: longText({ max: 2000, start: '' }),
    lastDay: day({ computed: true }),
    lastPest: text({ computed: true }),
    lastSubstance: text({ computed: true }),
    lastLicence: text({ computed: true }),
    nextDay: day({ computed: true }),
    /** When the customer was written to about the next visit. */
    remindedAt: moment({ computed: true }),
    customerPhone: text({ computed: true }),
    customerMail: text({ computed: true }),
  },
  list: {
    columns: [
      'customerId',
      'name',
      'address',
      'lastDay',
      'lastPest',
      'lastSubstance',
      'nextDay',
      'remindedAt',
    ],
    filters: ['customerId', 'nextDay', 'lastDay', 'lastPest', 'remindedAt'],
    sort: ['nextDay', 'asc'],
  },
  form: [{ section: 'main', fields: ['customerId', 'name', 'address', 'contact', 'phone', 'notes'] }],
  searchIn: ['name', 'address', 'contact'],
  allow,
  screens: { list, form: list },
})

/** Who may treat, by which licence and until when. */
export const pestLicences = defineResource({
  name: 'pestlicences',
  table: 'pest_licences',
  title: 'worker',
  hint: 'number',
  fields: {
    worker: text({ need: true, max: 120 }),
    number: text({ need: true, max: 40 }),
    validUntil: day({ need: true }),
  },
  list: { columns: ['worker', 'number', 'validUntil'], filters: ['validUntil'], sort: ['validUntil', 'asc'] },
  form: [{ section: 'main', fields: ['worker', 'number', 'validUntil'] }],
  searchIn: ['worker', 'number'],
  allow,
  screens: { list: `${list}?part=licences`, form: `${list}?part=licences` },
})

export const pestUnits = ['ml', 'l', 'g', 'kg', 'piece'] as const

/** What was done, as its certificate says it; it never changes. */
export const pestTreatments = defineResource({
  name: 'pesttreatments',
  table: 'pest_treatments',
  title: 'pest',
  hint: 'substance',
  fields: {
    number: number({ computed: true }),
    siteId: ref('pestsites', { need: true }),
    licenceId: ref('pestlicences', { need: true }),
    day: day({ need: true }),
    pest: text({ need: true, max: 120 }),
    substance: text({ need: true, max: 120 }),
    registration: text({ need: true, max: 40 }),
    amount: quantity({ need: true }),
    unit: choice(pestUnits, { need: true, start: 'ml' }),
    area: text({ max: 200, start: '' }),
    warnings: longText({ max: 2000, start: '' }),
    reentryHours: number({ need: true, start: 0 }),
    nextDay: day(),
    worker: text({ computed: true }),
    licenceNumber: text({ computed: true }),
    /** Its certificate was made: it stays, also when the treatment is put away. */
    isSealed: flag({ computed: true }),
  },
  list: {
    columns: ['number', 'day', 'siteId', 'pest', 'substance', 'amount', 'unit', 'worker', 'nextDay'],
    filters: ['siteId', 'day', 'pest', 'licenceId'],
    sort: ['day', 'desc'],
  },
  form: [
    { section: 'main', fields: ['siteId', 'day', 'pest', 'area'] },
    { section: 'substance', fields: ['substance', 'registration', 'amount', 'unit'] },
    { section: 'who', fields: ['licenceId', 'reentryHours', 'warnings', 'nextDay'] },
  ],
  searchIn: ['pest', 'substance'],
  allow,
  screens: { list: `${list}?part=treatments`, form: `${list}?part=treatments` },
})
