import { toText } from '#domain/quantity.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, number, percent, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { itemsOf } from '../names.ts'
import { shareBp } from '../parts.ts'
import { linesApart, soldBy } from '../sold.ts'

/**
 * What was sold of each item in a period: how much, what was returned, for how much. Sales without an item are a
 * separate row, so that the total is the income.
 */
export const itemsSales = defineReport({
  name: 'itemsSales',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportitemssales',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    item: ref('items'),
    category: ref('categories'),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
  },
  key: ['item'],
  columns: {
    item: text(),
    sku: text(),
    unit: text(),
    lastDay: day(),
    papers: number(),
    soldQuantity: quantity(),
    returnedQuantity: quantity(),
    quantity: quantity(),
    netAgorot: { ...money(), main: true },
    averageAgorot: money(),
    shareBp: percent(),
  },
  totals: ['netAgorot'],
  rows: async (ctx, asked) => {
    const sold = await soldBy(ctx, 'item', asked)
    const items = await itemsOf(ctx)
    const whole = sold.reduce((sum, { netAgorot }) => sum + netAgorot, 0)
    return sold
      .map(
        ({
          id,
          papers,
          lastDay,
          sold: out,
          returned,
          netAgorot,
        }): ReportRow & { netAgorot: number; item: string } => {
          const item = id === null ? undefined : items.get(id)
          const quantity = out + returned
          return {
            item: item?.name ?? say(ctx.caller.language, 'salesReports.noItem'),
            sku: item?.sku ?? null,
            unit: item?.unit ?? null,
            lastDay,
            papers,
            // What has no item has no unit to be counted in.
            soldQuantity: item ? toText(out) : null,
            returnedQuantity: item && returned !== 0 ? toText(returned) : null,
            quantity: item ? toText(quantity) : null,
            netAgorot,
            averageAgorot: item && quantity !== 0 ? Math.round((netAgorot * 10_000) / quantity) : null,
            shareBp: ctx.caller.hideTotalPrices ? null : shareBp(netAgorot, whole),
            open: item
              ? `/invoice/reportitemmovements?item=${item.id}&from=${asked.from}&to=${asked.to}`
              : null,
          }
        },
      )
      .toSorted((one, other) => other.netAgorot - one.netAgorot || (one.item < other.item ? -1 : 1))
  },
  apart: { linesAreIncome: (ctx, asked) => linesApart(ctx, asked) },
})
