import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, flag, longText, money, number, ref, text } from '#kit/fields/field.ts'

/** How often a standing order brings it again, each time it is paid. */
export const renewals = ['once', 'week', 'month', 'quarter', 'year'] as const

/** What can be bought: a number of visits or a stretch of time. */
export const passKinds = defineResource({
  name: 'passKinds',
  table: 'pass_kinds',
  title: 'name',
  fields: {
    name: text({ need: true, max: 80 }),
    visits: number(),
    days: number({ need: true, start: 90 }),
    priceAgorot: money({ start: 0 }),
    isTrial: flag({ start: false }),
    people: number({ start: 1 }),
    renews: choice(renewals, { need: true, start: 'once' }),
    freezeDays: number({ start: 0 }),
    isPublic: flag({ start: true }),
    itemId: ref('items'),
    about: longText({ max: 1000, start: '' }),
    sold: number({ computed: true }),
  },
  list: {
    columns: ['name', 'visits', 'days', 'priceAgorot', 'renews', 'people', 'freezeDays', 'sold'],
    filters: ['isTrial', 'isPublic'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'main', fields: ['name', 'visits', 'days', 'priceAgorot', 'itemId', 'about'] },
    { section: 'rules', fields: ['renews', 'isTrial', 'people', 'freezeDays', 'isPublic'] },
  ],
  searchIn: ['name'],
  allow: { see: 'calendar.see', change: 'calendar.setUp' },
  screens: { list: '/invoice/calanderclasses?part=passes', form: '/invoice/calanderclasses?part=passes' },
})
export type PassKind = Row<typeof passKinds>
