import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, moneyValue } from '#kit/fields/schema.ts'
import { entryLine } from '#features/base/ledger/endpoints.ts'

const base = '/api4/invoice/fixedassets'
const runs = '/api4/invoice/depreciation'
const byId = z.object({ id: z.uuid() })

export const assetPage = defineEndpoint({
  name: 'fixedassets.page',
  method: 'GET',
  path: `${base}/{id}/page`,
  access: { rule: 'assets.see' },
  input: byId,
  output: z.object({
    name: z.string(),
    kind: z.string(),
    accountId: z.string(),
    accountName: z.string(),
    startDay: z.string(),
    costAgorot: z.number(),
    depreciationBp: z.number(),
    /** By the regulations; null where they name none. */
    lawfulBp: z.number().nullable(),
    rateReason: z.string(),
    openingDay: z.string().nullable(),
    openingWornAgorot: z.number(),
    openingPosted: z.boolean(),
    supplierName: z.string().nullable(),
    expenseId: z.string().nullable(),
    expenseNumber: z.string().nullable(),
    disposal: z.enum(['sold', 'scrapped']).nullable(),
    disposedDay: z.string().nullable(),
    proceedsAgorot: z.number(),
    gainAgorot: z.number().nullable(),
    archived: z.boolean(),
    /** Until today, and of it what the books show. */
    wornAgorot: z.number(),
    postedAgorot: z.number(),
    years: z.array(
      z.object({
        year: z.number(),
        depreciationAgorot: z.number(),
        wornAgorot: z.number(),
        leftAgorot: z.number(),
        postedAgorot: z.number(),
      }),
    ),
    entries: z.array(entryLine),
  }),
  summary: 'A fixed asset with its plan year by year and what it did to the books',
  errors: ['kit.notFound'],
})
export const openAsset = defineEndpoint({
  name: 'fixedassets.open',
  method: 'POST',
  path: `${base}/{id}/open`,
  access: { rule: 'assets.change' },
  input: byId,
  output: z.object({ entryId: z.string() }),
  summary:
    'Posts the opening balance of an asset entered by hand: cost and what is worn, against opening balances',
  errors: ['kit.notFound', 'assets.opened', 'assets.notOpening', 'assets.disposed', 'ledger.periodClosed'],
})
export const disposeAsset = defineEndpoint({
  name: 'fixedassets.dispose',
  method: 'POST',
  path: `${base}/{id}/dispose`,
  access: { rule: 'assets.change' },
  input: z.strictObject({
    id: z.uuid(),
    how: z.enum(['sold', 'scrapped'], { error: 'fields.choice' }),
    date: dayValue,
    /** Before VAT; for a sale only. */
    proceedsAgorot: moneyValue.min(0, { error: 'fields.range' }).optional(),
    /** Where the proceeds stand: the bank, or the income account of the invoice of the sale. */
    accountId: z.uuid({ error: 'fields.ref' }).nullish(),
  }),
  output: z.object({ entryId: z.string(), gainAgorot: z.number() }),
  summary:
    'Sells or scraps an asset: depreciation until the day, then cost and what is worn leave the books with gain or loss',
  errors: ['kit.notFound', 'assets.disposed', 'ledger.periodClosed', 'ledger.controlAccount'],
})
export const undisposeAsset = defineEndpoint({
  name: 'fixedassets.undispose',
  method: 'POST',
  path: `${base}/{id}/undispose`,
  access: { rule: 'assets.change' },
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Takes a sale or scrap back by reversing its entries',
  errors: ['kit.notFound', 'assets.notDisposed', 'ledger.periodClosed'],
})

const run = z.object({
  id: z.string(),
  kind: z.enum(['period', 'disposal', 'takenBack']),
  fromDay: z.string(),
  toDay: z.string(),
  totalAgorot: z.number(),
  entryId: z.string(),
  reversed: z.boolean(),
  /** Only the last one may be reversed. */
  isLast: z.boolean(),
  by: z.string().nullable(),
  createdAt: z.string(),
  asset: z.string().nullable(),
})
export const listRuns = defineEndpoint({
  name: 'depreciation.list',
  method: 'GET',
  path: runs,
  access: { rule: 'assets.see' },
  input: z.object({}),
  output: z.object({
    rows: z.array(run),
    assets: z.number(),
    /** The first day that is not depreciated yet; null without assets. */
    nextDay: z.string().nullable(),
    /** Until when the next may go: its tax year ends there. */
    lastDay: z.string().nullable(),
  }),
  summary: 'The depreciation that was posted, and where the next begins',
})
export const previewDepreciation = defineEndpoint({
  name: 'depreciation.preview',
  method: 'GET',
  path: `${runs}/preview`,
  access: { rule: 'assets.see' },
  input: z.object({ to: dayValue }),
  output: z.object({
    fromDay: z.string(),
    totalAgorot: z.number(),
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.string(),
        depreciationBp: z.number(),
        amountAgorot: z.number(),
      }),
    ),
  }),
  summary: 'What depreciation until a day would post, asset by asset',
  errors: ['assets.alreadyPosted', 'assets.yearFirst', 'assets.nothingToPost'],
})
export const postDepreciationRun = defineEndpoint({
  name: 'depreciation.post',
  method: 'POST',
  path: runs,
  access: { rule: 'assets.change' },
  input: z.strictObject({ to: dayValue }),
  output: z.object({ id: z.string(), entryId: z.string(), totalAgorot: z.number() }),
  summary: 'Posts the depreciation of all assets until a day, once for a period',
  errors: ['assets.alreadyPosted', 'assets.yearFirst', 'assets.nothingToPost', 'ledger.periodClosed'],
})
export const reverseDepreciationRun = defineEndpoint({
  name: 'depreciation.reverse',
  method: 'POST',
  path: `${runs}/{id}/reverse`,
  access: { rule: 'assets.change' },
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Reverses the last depreciation that was posted',
  errors: ['kit.notFound', 'assets.reversed', 'assets.notLast', 'ledger.periodClosed'],
})
