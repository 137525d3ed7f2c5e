import { formatPeriod } from '#domain/format.ts'
import { sum } from '#domain/money.ts'
import { changeKinds, inDetail, type PaperChange } from '#domain/vat/changes.ts'
import { figureNames } from '#domain/vat/papers.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { changesSinceFiling } from '../changes.ts'
import { openOf } from '../worked.ts'

/** Which records of the detailed report leave and come, by their type and the number they name. */
const recordsOf = ({ removed, added }: PaperChange): string =>
  [...removed.map((one) => ['−', one] as const), ...added.map((one) => ['+', one] as const)]
    .map(([sign, { type, counterparty, allocation }]) =>
      [`${sign}${type}`, counterparty, allocation].filter((part) => !/^0*$/.test(part)).join(' '),
    )
    .join(', ')

/**
 * What changed since filing: documents that were dated into a reported period afterwards, and what a period that was
 * opened again differs in, each with its effect on every figure of the return and on the detailed report.
 */
export const vatChanges = defineReport({
  name: 'vatChanges',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportvatchanges',
  allow: 'vat.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    period: text(),
    day: day(),
    number: text(),
    name: text(),
    kind: choice(changeKinds),
    entered: { ...day(), whenFilled: true },
    counted: { ...text(), whenFilled: true },
    taxableSalesAgorot: { ...money(), whenFilled: true },
    untaxedSalesAgorot: { ...money(), whenFilled: true },
    outputVatAgorot: { ...money(), whenFilled: true },
    inputVatEquipmentAgorot: { ...money(), whenFilled: true },
    inputVatOtherAgorot: { ...money(), whenFilled: true },
    toPayAgorot: money({ main: true } as object),
    records: { ...text(), whenFilled: true },
    detailedAmountAgorot: { ...money(), whenFilled: true },
    detailedVatAgorot: { ...money(), whenFilled: true },
  },
  groupBy: 'period',
  totals: figureNames.map((name) => `${name}Agorot`),
  rows: async (ctx, period) => {
    const periodOn = await vatPeriodsOf(ctx)
    const filled = (amount: number) => amount || null
    return (await changesSinceFiling(ctx, period)).flatMap(({ filing, rows }) =>
      rows.map((change): ReportRow => {
        const detail = inDetail(change)
        const { toPay, ...effect } = change.effect
        return {
          period: formatPeriod(filing),
          day: change.day,
          number: change.number,
          name: change.name,
          kind: change.kind,
          entered: change.entered,
          counted: change.countedFrom && formatPeriod(periodOn(change.countedFrom)),
          ...Object.fromEntries(
            Object.entries(effect).map(([name, amount]) => [`${name}Agorot`, filled(amount)]),
          ),
          toPayAgorot: toPay,
          ...(filing.kind === 'detailed'
            ? {
                records: recordsOf(change) || null,
                detailedAmountAgorot: filled(detail.net),
                detailedVatAgorot: filled(detail.vat),
              }
            : { records: null, detailedAmountAgorot: null, detailedVatAgorot: null }),
          open: openOf(change.key),
        }
      }),
    )
  },
  apart: {
    explained: async (ctx, period) =>
      sum((await changesSinceFiling(ctx, period)).map(({ unexplainedAgorot }) => unexplainedAgorot)),
  },
})
