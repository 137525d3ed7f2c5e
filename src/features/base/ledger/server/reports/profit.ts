import { yearOf, type Day, type Period } from '#domain/day.ts'
import { comparedTo, comparisons } from '#domain/ledger/compared.ts'
import { profitLines, type ProfitLine } from '#domain/ledger/codes.ts'
import { toSafeNumber, divideRounded } from '#domain/money.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { budgetFor } from '#kit/server/described/budgets.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { byPlace, chartOf, isProfit, underCode, type ChartAccount } from '../chart.ts'
import { accountSums, net } from '../sums.ts'

const levels = ['code', 'account'] as const
const beside = [...comparisons, 'budget'] as const

/** What comes in is shown as it grows on the credit side, what goes out on the debit side. */
const comesIn = (line: ProfitLine): boolean => line === 'revenue' || line === 'other'

/** The results between the parts of the statement, by the part after which they stand. */
const results: Partial<Record<ProfitLine, string>> = {
  production: 'grossProfit',
  general: 'operatingProfit',
  finance: 'profitBeforeTax',
  taxes: 'netProfit',
}

interface ProfitRow {
  section: ProfitLine
  code: string
  line: string
  account: ChartAccount | undefined
  /** One per period. */
  amounts: number[]
  /** A result, by its name. */
  result?: string
}

/** Debit less credit of an account, by its id: of a period, or what the budget means it to be. */
type NetOf = (id: string) => number

async function netIn(ctx: Ctx, { from, to }: Period): Promise<NetOf> {
  const sums = await accountSums(ctx, from, to)
  return (id) => net(sums.get(id))
}

/** The budget of a period as the books would carry it; nothing for the person who may not see it. */
async function meantIn(ctx: Ctx, period: Period): Promise<NetOf | undefined> {
  const budget = await budgetFor(ctx, period)
  if (!budget) return undefined
  const income = new Set(
    (await chartOf(ctx)).accounts.filter(({ kind }) => kind === 'income').map(({ id }) => id),
  )
  return (id) => (income.has(id) ? -(budget.get(id) ?? 0) : (budget.get(id) ?? 0))
}

/** Profit and loss of several periods side by side. */
async function profitRows(
  ctx: Ctx,
  sums: readonly NetOf[],
  level: (typeof levels)[number],
  under?: string,
): Promise<ProfitRow[]> {
  const chart = await chartOf(ctx)
  const lineOf = (account: ChartAccount): ProfitLine =>
    chart.sortCodes.get(account.sortCode)?.profitLine ?? (account.kind === 'income' ? 'revenue' : 'general')
  const accounts = chart.accounts.filter(({ kind }) => isProfit(kind)).filter(underCode(chart, under))
  const running = sums.map(() => 0)
  const rows: ProfitRow[] = []
  for (const section of profitLines) {
    const sign = comesIn(section) ? -1 : 1
    const own = accounts
      .filter((account) => lineOf(account) === section)
      .toSorted(
        (l, r) =>
          byPlace(chart.sortCodes.get(l.sortCode), chart.sortCodes.get(r.sortCode)) ||
          (l.number < r.number ? -1 : 1),
      )
    const groups = new Map<string, ChartAccount[]>()
    for (const account of own) {
      const key = level === 'account' ? account.id : account.sortCode
      groups.set(key, [...(groups.get(key) ?? []), account])
    }
    for (const members of groups.values()) {
      const first = members[0]!
      const amounts = sums.map((of) => members.reduce((sum, { id }) => sum + of(id), 0))
      amounts.forEach((amount, i) => (running[i]! -= amount))
      if (amounts.every((amount) => amount === 0)) continue
      rows.push({
        section,
        code: level === 'account' ? first.number : first.sortCode,
        line:
          level === 'account'
            ? first.name
            : (chart.sortCodes.get(first.sortCode)?.name ?? say(ctx.caller.language, 'ledger.noCode')),
        account: level === 'account' ? first : undefined,
        amounts: amounts.map((amount) => (amount === 0 ? 0 : amount * sign)),
      })
    }
    const result = results[section]
    const isLast = result === 'netProfit'
    // A result that says the same as the one before it says nothing.
    const before = rows.findLast((row) => row.result)
    if (
      result &&
      rows.length > 0 &&
      (isLast || !before || before.amounts.some((amount, i) => amount !== running[i]))
    )
      rows.push({
        section,
        code: '',
        line: say(ctx.caller.language, `ledger.reports.profitLoss.kind.${result}`),
        account: undefined,
        amounts: [...running],
        result,
      })
  }
  return rows
}

const base = ({ section, code, line, result }: ProfitRow): ReportRow => ({
  section,
  code,
  line,
  ...(result ? { sum: true, kind: result } : {}),
})

/** A share of the revenue in basis points; nothing without revenue. */
const shareOf = (amount: number, revenue: number): number | null =>
  revenue === 0 ? null : toSafeNumber(divideRounded(BigInt(amount) * 10_000n, BigInt(revenue)))

/** Income less expense of a period, by the parts of the statement, beside another period. */
export const profitLoss = defineReport({
  name: 'profitLoss',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/reportprofitloss',
  allow: 'reports.accounting',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    level: choice(levels),
    under: text(),
    compare: choice(beside, { words: 'ledger.compare' }),
  },
  columns: {
    section: choice(profitLines, { words: 'ledger.profitLine' }),
    code: text(),
    line: { ...text(), names: true },
    amountAgorot: { ...money(), main: true },
    shareBp: percent(),
    compareAgorot: { ...money(), whenFilled: true },
    changeAgorot: { ...money(), whenFilled: true },
  },
  groupBy: 'section',
  totals: [],
  vsFilter: 'compare',
  headings: ({ compare }, _today, language): Record<string, string> =>
    compare === 'budget' ? { compareAgorot: say(language, 'ledger.compare.budget') } : {},
  rows: async (ctx, { from, to, level = 'code', under, compare }) => {
    const other =
      compare === 'budget'
        ? await meantIn(ctx, { from, to })
        : compare && (await netIn(ctx, comparedTo(compare, from, to)))
    const sums = [await netIn(ctx, { from, to }), ...(other ? [other] : [])]
    const rows = await profitRows(ctx, sums, level)
    const shown =
      under === undefined ? rows : (await profitRows(ctx, sums, level, under)).filter((row) => !row.result)
    const revenue = rows
      .filter((row) => row.section === 'revenue' && !row.result)
      .reduce((sum, row) => sum + row.amounts[0]!, 0)
    return shown.map((row) => {
      const [amount, then] = row.amounts as [number, number | undefined]
      return {
        ...base(row),
        amountAgorot: amount,
        // People who may not see amounts could calculate them from the shares.
        shareBp: ctx.caller.hideTotalPrices ? null : shareOf(amount, revenue),
        ...(then === undefined ? {} : { compareAgorot: then, changeAgorot: amount - then }),
        open: row.account
          ? `/invoice/cardskarteset/${row.account.id}?from=${from}&to=${to}`
          : row.result
            ? null
            : `/invoice/reportprofitloss?from=${from}&to=${to}&level=account&under=${encodeURIComponent(row.code)}`,
        isPart: under !== undefined,
      }
    })
  },
  must: { resultIsSum: (_, rows) => rows.some((row) => row.isPart) || resultHolds(rows, 'amountAgorot') },
})

/** The last result is what came in less what went out. */
const resultHolds = (rows: ReportRow[], column: string): boolean =>
  rows
    .filter((row) => !row.sum)
    .reduce(
      (sum, row) => sum + Number(row[column] ?? 0) * (comesIn(row.section as ProfitLine) ? 1 : -1),
      0,
    ) === Number(rows.findLast((row) => row.sum)?.[column] ?? 0)

const back = [0, 1, 2, 3, 4] as const

const lastOf = (year: number | undefined, today: Day): number =>
  year !== undefined && year >= 2000 && year <= 2200 ? year : yearOf(today)

/** Profit and loss of five years side by side, the chosen year first. */
export const profitYears = defineReport({
  name: 'profitYears',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/reportprofityears',
  allow: 'reports.accounting',
  filters: { year: number(), level: choice(levels) },
  columns: {
    section: choice(profitLines, { words: 'ledger.profitLine' }),
    code: text(),
    line: { ...text(), names: true },
    year0Agorot: { ...money(), main: true },
    year1Agorot: money(),
    year2Agorot: money(),
    year3Agorot: money(),
    year4Agorot: money(),
  },
  groupBy: 'section',
  totals: [],
  headings: ({ year }, today) =>
    Object.fromEntries(back.map((ago) => [`year${ago}Agorot`, String(lastOf(year, today) - ago)])),
  rows: async (ctx, { year, level = 'code' }) => {
    const last = lastOf(year, ctx.today)
    const years = back.map((ago) => last - ago)
    const whole = (of: number): { from: Day; to: Day } => ({ from: `${of}-01-01`, to: `${of}-12-31` })
    const sums = []
    for (const of of years) sums.push(await netIn(ctx, whole(of)))
    const rows = await profitRows(ctx, sums, level)
    return rows.map((row) => ({
      ...base(row),
      ...Object.fromEntries(back.map((ago) => [`year${ago}Agorot`, row.amounts[ago]!])),
      open: row.account
        ? `/invoice/cardskarteset/${row.account.id}?from=${years.at(-1)}-01-01&to=${last}-12-31`
        : row.result
          ? null
          : `/invoice/reportprofitloss?from=${last}-01-01&to=${last}-12-31&level=account&under=${encodeURIComponent(row.code)}`,
    }))
  },
  must: { resultIsSum: (_, rows) => back.every((ago) => resultHolds(rows, `year${ago}Agorot`)) },
})
