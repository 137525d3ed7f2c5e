import { defineResource, type Row } from '../../kit/describe/resource.ts'
import { email, flag, language, longText, money, phone, taxId, text } from '../../kit/fields/field.ts'

export const customers = defineResource({
  name: 'customers',
  table: 'parties',
  where: { role: 'customer' },
  title: 'name',
  hint: 'taxId',
  fields: {
    name: text({ need: true, max: 200 }),
    nameOnDocument: text({ max: 200 }),
    taxId: taxId(),
    isDealer: flag({ start: false }),
    contact: text({ max: 120 }),
    email: email(),
    phone: phone(),
    mobile: phone(),
    street: text({ max: 120 }),
    city: text({ max: 80 }),
    zip: text({ max: 10 }),
    country: text({ max: 60 }),
    language: language({ start: 'he' }),
    dueTerms: text({ max: 10 }),
    creditLimitAgorot: money(),
    zeroRate: flag({ start: false }),
    notes: longText({ max: 4000 }),
    // Kept by the ledger, so nobody types it in.
    balanceAgorot: money({ computed: true }),
  },
  list: {
    columns: ['name', 'taxId', 'phone', 'email', 'city', 'balanceAgorot'],
    filters: ['city', 'isDealer', 'balanceAgorot'],
    sort: ['name', 'asc'],
    totals: ['balanceAgorot'],
  },
  form: [
    { section: 'identity', fields: ['name', 'taxId', 'isDealer', 'nameOnDocument'] },
    { section: 'contact', fields: ['contact', 'email', 'mobile', 'phone', 'street', 'city', 'zip', 'country', 'language'] },
    { section: 'terms', fields: ['dueTerms', 'creditLimitAgorot', 'zeroRate', 'notes'] },
  ],
  allow: { see: 'customers.see', change: 'customers.change' },
  search: 'search_customers',
  searchIn: ['name', 'nameOnDocument', 'taxId', 'email', 'phone', 'mobile', 'city'],
  unique: ['taxId'],
  screens: { list: '/invoice/InvoiceCustomers', form: '/invoice/InvoiceEditCustomers', card: '/invoice/invoiceCustomer/$id/details' },
})

export type Customer = Row<typeof customers>
