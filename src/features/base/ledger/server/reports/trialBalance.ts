import { addDays, type Day } from '#domain/day.ts'
import { comparedTo, comparisons } from '#domain/ledger/compared.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import {
  byPlace,
  chartOf,
  isProfit,
  underCode,
  startOfYear,
  type Chart,
  type ChartAccount,
} from '../chart.ts'
import { accountSums, net } from '../sums.ts'

interface Balances {
  opening: number
  debit: number
  credit: number
}

/**
 * Opening and movements of every account. Income and expense start from zero on 1 January: what they came to
 * in the years before is the profit of former years, which is worked out and never booked.
 */
async function balancesOf(
  ctx: Ctx,
  chart: Chart,
  from: Day,
  to: Day,
): Promise<{ of: Map<string, Balances>; former: number }> {
  const ever = await accountSums(ctx, undefined, addDays(from, -1))
  const year = await accountSums(ctx, startOfYear(from), addDays(from, -1))
  const moves = await accountSums(ctx, from, to)
  let former = 0
  const of = new Map<string, Balances>()
  for (const { id, kind } of chart.accounts) {
    const opening = net((isProfit(kind) ? year : ever).get(id))
    if (isProfit(kind)) former += net(ever.get(id)) - opening
    of.set(id, { opening, debit: moves.get(id)?.debit ?? 0, credit: moves.get(id)?.credit ?? 0 })
  }
  return { of, former }
}

/** A part under one code need not balance. */
const isPart = (rows: readonly ReportRow[]): boolean => rows.some((row) => row.isPart)

/**
 * Opening, movements and closing of every account in a period: by account, by sort code or by the codes above
 * all others.
 */
export const trialBalance = defineReport({
  name: 'trialBalance',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/maazanbohan',
  allow: 'reports.accounting',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    level: choice(['account', 'code', 'top']),
    under: text(),
    compare: choice(comparisons, { words: 'ledger.compare' }),
  },
  columns: {
    sortCode: text(),
    number: text(),
    account: { ...text(), names: true },
    openingAgorot: money(),
    debitAgorot: { ...money(), band: 'movements' },
    creditAgorot: { ...money(), band: 'movements' },
    balanceAgorot: { ...money(), main: true },
    compareAgorot: { ...money(), whenFilled: true },
    changeAgorot: { ...money(), whenFilled: true },
    turned: { ...choice(['turned']), whenFilled: true },
  },
  groupBy: 'sortCode',
  totals: ['openingAgorot', 'debitAgorot', 'creditAgorot', 'balanceAgorot', 'compareAgorot', 'changeAgorot'],
  rows: async (ctx, { from, to, level = 'account', under, compare }) => {
    const chart = await chartOf(ctx)
    const isUnder = underCode(chart, under)
    const now = await balancesOf(ctx, chart, from, to)
    const other = compare && comparedTo(compare, from, to)
    const then = other && (await balancesOf(ctx, chart, other.from, other.to))
    const closing = (of: Balances | undefined) => (of ? of.opening + of.debit - of.credit : 0)

    const codeOf = (account: ChartAccount) =>
      level === 'top' ? chart.topOf(account.sortCode) : chart.sortCodes.get(account.sortCode)
    const groups = new Map<string, ChartAccount[]>()
    const sorted = chart.accounts.toSorted(
      (left, right) =>
        byPlace(codeOf(left), codeOf(right)) ||
        (left.sortCode < right.sortCode ? -1 : left.sortCode > right.sortCode ? 1 : 0) ||
        (left.number < right.number ? -1 : 1),
    )
    for (const account of sorted) {
      if (!isUnder(account)) continue
      const key = level === 'account' ? account.id : (codeOf(account)?.code ?? account.sortCode)
      groups.set(key, [...(groups.get(key) ?? []), account])
    }
    const rows = [...groups].flatMap(([key, accounts]): ReportRow[] => {
      const first = accounts[0]!
      const code = codeOf(first)
      const sum = (which: typeof now, part: (of: Balances) => number) =>
        accounts.reduce(
          (total, { id }) => total + part(which.of.get(id) ?? { opening: 0, debit: 0, credit: 0 }),
          0,
        )
      const figures = {
        openingAgorot: sum(now, (b) => b.opening),
        debitAgorot: sum(now, (b) => b.debit),
        creditAgorot: sum(now, (b) => b.credit),
        balanceAgorot: sum(now, closing),
        ...(then
          ? { compareAgorot: sum(then, closing), changeAgorot: sum(now, closing) - sum(then, closing) }
          : {}),
      }
      if (Object.values(figures).every((figure) => figure === 0)) return []
      const stands = figures.balanceAgorot > 0 ? 'debit' : figures.balanceAgorot < 0 ? 'credit' : code?.side
      return [
        {
          sortCode: level === 'account' ? first.sortCode : key,
          ...(level === 'account' && code ? { groupName: code.name } : {}),
          number: level === 'account' ? first.number : '',
          account:
            level === 'account' ? first.name : (code?.name ?? say(ctx.caller.language, 'ledger.noCode')),
          ...figures,
          turned: code && stands !== code.side ? 'turned' : null,
          open:
            level === 'account'
              ? `/invoice/cardskarteset/${first.id}?from=${from}&to=${to}`
              : `/invoice/maazanbohan?from=${from}&to=${to}&level=${level === 'top' ? 'code' : 'account'}&under=${encodeURIComponent(key)}`,
          isPart: under !== undefined,
        },
      ]
    })
    if (under !== undefined) return rows
    if (now.former !== 0 || (then && then.former !== 0))
      rows.push({
        sortCode: '',
        number: '',
        account: say(ctx.caller.language, 'ledger.formerProfits'),
        openingAgorot: now.former,
        debitAgorot: 0,
        creditAgorot: 0,
        balanceAgorot: now.former,
        ...(then ? { compareAgorot: then.former, changeAgorot: now.former - then.former } : {}),
        turned: null,
        open: `/invoice/reportprofityears?year=${from.slice(0, 4)}`,
      })
    return rows
  },
  // example: must
  must: {
    debitIsCredit: (totals, rows) => isPart(rows) || totals.debitAgorot === totals.creditAgorot,
    openingIsZero: (totals, rows) => isPart(rows) || totals.openingAgorot === 0,
    balanceIsZero: (totals, rows) => isPart(rows) || totals.balanceAgorot === 0,
  },
  // example end
})
