import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, email, flag, longText, phone, ref, text } from '#kit/fields/field.ts'

/* The people and the places of a customer. */

const allow = { see: 'customers.see', change: 'customers.change' }
const screens = { list: '/invoice/InvoiceCustomers', form: '/invoice/InvoiceCustomers' }

export const customerContacts = defineResource({
  name: 'customerContacts',
  table: 'customer_contacts',
  title: 'name',
  hint: 'duty',
  fields: {
    partyId: ref('customers', { need: true }),
    name: text({ need: true, max: 120 }),
    duty: text({ max: 80 }),
    email: email(),
    phone: phone(),
    getsInvoices: flag({ start: false }),
    getsReminders: flag({ start: false }),
    notes: longText({ max: 1000 }),
  },
  list: {
    columns: ['name', 'duty', 'email', 'phone', 'getsInvoices', 'getsReminders'],
    filters: ['partyId'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'main', fields: ['name', 'duty', 'email', 'phone', 'getsInvoices', 'getsReminders', 'notes'] },
  ],
  allow,
  screens,
})

export const addressKinds = ['billing', 'delivery', 'site'] as const

export const customerAddresses = defineResource({
  name: 'customerAddresses',
  table: 'customer_addresses',
  title: 'kind',
  hint: 'city',
  fields: {
    partyId: ref('customers', { need: true }),
    kind: choice(addressKinds, { need: true, start: 'delivery' }),
    name: text({ max: 120 }),
    street: text({ max: 120 }),
    city: text({ max: 80 }),
    zip: text({ max: 10 }),
    country: text({ max: 60 }),
    contact: text({ max: 120 }),
    phone: phone(),
    notes: longText({ max: 1000 }),
  },
  list: {
    columns: ['kind', 'name', 'street', 'city', 'phone'],
    filters: ['partyId', 'kind'],
    sort: ['kind', 'asc'],
  },
  form: [
    {
      section: 'main',
      fields: ['kind', 'name', 'street', 'city', 'zip', 'country', 'contact', 'phone', 'notes'],
    },
  ],
  allow,
  screens,
})

export type CustomerContact = Row<typeof customerContacts>
export type CustomerAddress = Row<typeof customerAddresses>
