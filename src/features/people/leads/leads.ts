import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import {
  choice,
  color,
  day,
  email,
  flag,
  longText,
  moment,
  money,
  number,
  own,
  percent,
  phone,
  ref,
  tags,
  text,
} from '#kit/fields/field.ts'

export const outcomes = ['open', 'won', 'lost'] as const
export type Outcome = (typeof outcomes)[number]

/** A person who asked, until they become a customer or are lost. */
export const leads = defineResource({
  name: 'leads',
  table: 'leads',
  title: 'name',
  hint: 'company',
  fields: {
    name: text({ need: true, max: 200 }),
    company: text({ max: 200 }),
    phone: phone(),
    email: email(),
    city: text({ max: 80 }),
    sourceId: ref('leadSources'),
    campaign: text({ max: 80 }),
    kindId: ref('leadKinds'),
    categoryId: ref('leadCategories'),
    ownerId: ref('agents'),
    nextDay: day(),
    nextText: text({ max: 200 }),
    sumAgorot: money(),
    chanceBp: percent(),
    tags: tags(),
    notes: longText({ max: 10_000 }),
    own: own(),
    stageId: ref('leadStages', { computed: true }),
    outcome: choice(outcomes, { computed: true }),
    lostReason: text({ computed: true }),
    isStale: flag({ computed: true }),
    firstAnswerAt: moment({ computed: true }),
    answerMinutes: number({ computed: true }),
    stageAt: moment({ computed: true }),
    closedAt: moment({ computed: true }),
    arrivedAt: moment({ computed: true, column: 'created_at' }),
    customerId: ref('customers', { computed: true }),
    quoteId: ref('documents', { computed: true }),
    rank: text({ computed: true }),
    version: number({ computed: true }),
  },
  extra: {
    stageColor: z.string().nullable(),
    stageOutcome: z.string().nullable(),
  },
  list: {
    columns: [
      'name',
      'phone',
      'sourceId',
      'stageId',
      'ownerId',
      'nextDay',
      'nextText',
      'sumAgorot',
      'arrivedAt',
    ],
    filters: [
      'outcome',
      'stageId',
      'sourceId',
      'kindId',
      'categoryId',
      'ownerId',
      'isStale',
      'nextDay',
      'arrivedAt',
      'city',
      'campaign',
      'tags',
      'sumAgorot',
    ],
    sort: ['arrivedAt', 'desc'],
    totals: ['sumAgorot'],
  },
  form: [
    { section: 'who', fields: ['name', 'company', 'phone', 'email', 'city'] },
    {
      section: 'deal',
      fields: [
        'sourceId',
        'campaign',
        'kindId',
        'categoryId',
        'ownerId',
        'sumAgorot',
        'chanceBp',
        'nextDay',
        'nextText',
      ],
    },
    { section: 'more', fields: ['tags', 'notes', 'own'] },
  ],
  allow: { see: 'leads.see', change: 'leads.change' },
  screens: {
    list: '/invoice/invoiceLeadsManager',
    form: '/invoice/invoiceLeadsManager',
    card: '/invoice/invoiceLeadsManager?lead=$id',
  },
})
export type Lead = Row<typeof leads>

const set = { see: 'leads.see', change: 'leads.setUp' }

export const leadStages = defineResource({
  name: 'leadStages',
  table: 'lead_stages',
  title: 'name',
  fields: {
    name: text({ need: true, max: 40 }),
    color: color({ start: '#5b6660' }),
    outcome: choice(outcomes, { start: 'open' }),
    staleDays: number(),
    chanceBp: percent(),
    kindId: ref('leadKinds'),
    /** A lead moves here when its quote is sent. */
    onQuote: flag({ start: false }),
    position: number({ computed: true }),
    leads: number({ computed: true }),
  },
  list: {
    columns: ['name', 'color', 'outcome', 'staleDays', 'chanceBp', 'kindId', 'onQuote', 'leads'],
    filters: [],
    sort: ['position', 'asc'],
  },
  form: [
    { section: 'main', fields: ['name', 'color', 'outcome', 'staleDays', 'chanceBp', 'kindId', 'onQuote'] },
  ],
  allow: set,
  unique: ['name'],
  screens: { list: '/invoice/invoiceLeadsStatusType', form: '/invoice/invoiceLeadsStatusType' },
})

/** A field a business invents for leads of a kind. */
export interface KindField {
  id: string
  name: string
  kind: 'text' | 'number' | 'day' | 'choice' | 'flag'
  choices: string[]
  needed: boolean
}

export const leadKinds = defineResource({
  name: 'leadKinds',
  table: 'lead_kinds',
  title: 'name',
  fields: {
    name: text({ need: true, max: 60 }),
    leads: number({ computed: true }),
    fieldCount: number({ computed: true }),
  },
  list: { columns: ['name', 'fieldCount', 'leads'], filters: [], sort: ['name', 'asc'] },
  form: [{ section: 'main', fields: ['name'] }],
  allow: set,
  unique: ['name'],
  screens: { list: '/invoice/invoiceLeadsManagerType', form: '/invoice/invoiceLeadsManagerType' },
})

export const leadChannels = ['form', 'mail', 'api', 'link', 'hand', 'facebook'] as const

export const leadSources = defineResource({
  name: 'leadSources',
  table: 'lead_sources',
  title: 'name',
  fields: {
    name: text({ need: true, max: 60 }),
    channel: choice(leadChannels, { need: true, start: 'form' }),
    isOn: flag({ start: true }),
    campaign: text({ max: 80 }),
    costMonthAgorot: money(),
    kindId: ref('leadKinds'),
    ownerId: ref('agents'),
    thanks: text({ max: 300 }),
    leads: number({ computed: true }),
    won: number({ computed: true }),
  },
  list: {
    columns: ['name', 'channel', 'isOn', 'campaign', 'costMonthAgorot', 'leads', 'won'],
    filters: ['channel', 'isOn'],
    sort: ['name', 'asc'],
  },
  form: [
    {
      section: 'main',
      fields: ['name', 'channel', 'isOn', 'campaign', 'costMonthAgorot', 'kindId', 'ownerId', 'thanks'],
    },
  ],
  allow: set,
  unique: ['name'],
  screens: { list: '/invoice/leadsources', form: '/invoice/leadsources' },
})
export type LeadSource = Row<typeof leadSources>
