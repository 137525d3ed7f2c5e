import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { languageValue } from '#kit/fields/schema.ts'
import { choice, email, flag, moment, number, phone, text } from '#kit/fields/field.ts'

export const workerStates = ['active', 'invited', 'blocked'] as const

/** The people of a business: members, invited and blocked ones. Their rights are beside, as lists. */
export const workers = defineResource({
  name: 'workers',
  table: 'team',
  title: 'name',
  hint: 'email',
  fields: {
    name: text({ need: true, max: 120 }),
    email: email({ need: true }),
    phone: phone(),
    job: text({ max: 80 }),
    // 4 an owner or partner, 9 a worker; of workers 1 is the reception desk and 2 a trainer.
    typeId: number({ need: true }),
    subTypeId: number({ need: true }),
    /** Name of the set of rights; empty for individual rights. */
    setName: text({ computed: true }),
    /** The number of rules; nothing means everything. */
    rulesCount: text({ max: 20, computed: true }),
    documentTypes: text({ computed: true }),
    hideTotalPrices: flag({ need: true }),
    ownCustomersOnly: flag({ need: true }),
    state: choice(workerStates, { need: true }),
    seenAt: moment(),
  },
  extra: {
    ruleId: z.number().int(),
    rules: z.array(z.number().int()),
    docsAllow: z.array(z.number().int()),
    hideNavHeader: z.boolean(),
    isActiveButton: z.boolean(),
    /** The most this person may refund of one card charge; null where there is no limit. */
    refundLimitAgorot: z.number().int().nullable(),
    /** The most this person may charge a saved card at once; null where there is no bound. */
    chargeLimitAgorot: z.number().int().nullable(),
    language: languageValue,
    /** Of an invitation. */
    expiresAt: z.string().nullable(),
  },
  list: {
    columns: [
      'name',
      'email',
      'setName',
      'rulesCount',
      'documentTypes',
      'hideTotalPrices',
      'ownCustomersOnly',
      'state',
      'seenAt',
    ],
    filters: ['state', 'subTypeId', 'hideTotalPrices', 'ownCustomersOnly'],
    sort: ['name', 'asc'],
  },
  form: [],
  fromFiles: true,
  allow: { see: 'workers.see', change: 'workers.change' },
  screens: { list: '/invoice/workers', form: '/invoice/editworker', card: '/invoice/editworker/$id/details' },
})

export type Worker = Row<typeof workers>
