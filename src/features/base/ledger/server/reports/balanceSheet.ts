import { addDays, type Day } from '#domain/day.ts'
import type { AccountKind } from '#domain/ledger/chart.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { byPlace, chartOf, isProfit, startOfYear, type ChartAccount } from '../chart.ts'
import { accountSums, net } from '../sums.ts'

const sections = ['asset', 'liability', 'equity'] as const
type Section = (typeof sections)[number]

/**
 * Debit less credit of every account at the end of a day, and the profits up to then: of the year, and of the
 * years before.
 */
async function standingAt(ctx: Ctx, accounts: readonly ChartAccount[], at: Day) {
  const ever = await accountSums(ctx, undefined, at)
  const year = await accountSums(ctx, startOfYear(at), at)
  const profits = accounts.filter(({ kind }) => isProfit(kind))
  const ofYear = profits.reduce((sum, { id }) => sum + net(year.get(id)), 0)
  const ofAll = profits.reduce((sum, { id }) => sum + net(ever.get(id)), 0)
  return { of: (id: string) => net(ever.get(id)), ofYear, former: ofAll - ofYear }
}

const nature = (kind: AccountKind): Section | undefined => (isProfit(kind) ? undefined : (kind as Section))

/**
 * What the business owns and owes at the beginning and at the end of a period. Nothing is booked at the end
 * of a year: profits are the sum of income and expense, of this year and of the years before, and stand under
 * equity.
 */
export const balanceSheet = defineReport({
  name: 'balanceSheet',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/maazan',
  allow: 'reports.accounting',
  filters: { from: day({ need: true }), to: day({ need: true }), level: choice(['code', 'account']) },
  columns: {
    section: choice(sections, { words: 'accounts.kind' }),
    code: text(),
    line: { ...text(), names: true },
    openingAgorot: money(),
    amountAgorot: { ...money(), main: true },
    changeAgorot: money(),
  },
  groupBy: 'section',
  totals: [],
  rows: async (ctx, { from, to, level = 'code' }) => {
    const t = (key: string) => say(ctx.caller.language, key)
    const chart = await chartOf(ctx)
    const before = await standingAt(ctx, chart.accounts, addDays(from, -1))
    const now = await standingAt(ctx, chart.accounts, to)
    const codeOf = (account: ChartAccount) =>
      chart.balanceCodes.get(chart.sortCodes.get(account.sortCode)?.balanceCodeId ?? '')
    const rows: ReportRow[] = []
    const totals = { asset: [0, 0], liability: [0, 0], equity: [0, 0] } satisfies Record<
      Section,
      [number, number]
    >
    for (const section of sections) {
      // Assets grow on the debit side, what is owed and what belongs to the owners on the credit side.
      const sign = section === 'asset' ? 1 : -1
      const own = chart.accounts
        .filter(({ kind }) => nature(kind) === section)
        .toSorted((l, r) => byPlace(codeOf(l), codeOf(r)) || (l.number < r.number ? -1 : 1))
      const groups = new Map<string, ChartAccount[]>()
      for (const account of own) {
        const key = level === 'account' ? account.id : (codeOf(account)?.id ?? '')
        groups.set(key, [...(groups.get(key) ?? []), account])
      }
      const put = (code: string, line: string, opening: number, amount: number, open: string | null) => {
        totals[section][0] += opening * sign
        totals[section][1] += amount * sign
        if (opening === 0 && amount === 0) return
        rows.push({
          section,
          code,
          line,
          openingAgorot: opening * sign,
          amountAgorot: amount * sign,
          changeAgorot: (amount - opening) * sign,
          open,
        })
      }
      for (const accounts of groups.values()) {
        const first = accounts[0]!
        const code = codeOf(first)
        put(
          level === 'account' ? first.number : (code?.code ?? ''),
          level === 'account' ? first.name : (code?.name ?? t('ledger.noCode')),
          accounts.reduce((sum, { id }) => sum + before.of(id), 0),
          accounts.reduce((sum, { id }) => sum + now.of(id), 0),
          level === 'account'
            ? `/invoice/cardskarteset/${first.id}?from=${from}&to=${to}`
            : `/invoice/maazan?from=${from}&to=${to}&level=account`,
        )
      }
      if (section === 'equity') {
        const year = to.slice(0, 4)
        put(
          '',
          t('ledger.formerProfits'),
          before.former,
          now.former,
          `/invoice/reportprofityears?year=${Number(year) - 1}`,
        )
        put(
          '',
          t('ledger.yearProfit'),
          before.ofYear,
          now.ofYear,
          `/invoice/reportprofitloss?from=${startOfYear(to)}&to=${to}`,
        )
      }
      const [opening, amount] = totals[section]
      rows.push(
        sumRow(
          section,
          `total_${section}`,
          t(`ledger.reports.balanceSheet.kind.total_${section}`),
          opening,
          amount,
        ),
      )
    }
    // Four totals of zero would say less than that there is nothing.
    if (rows.every(({ sum }) => sum)) return []
    const [opening, amount] = [0, 1].map((i) => totals.liability[i]! + totals.equity[i]!) as [number, number]
    rows.push(sumRow('equity', 'total_all', t('ledger.reports.balanceSheet.kind.total_all'), opening, amount))
    return rows
  },
  must: {
    sidesAreEqual: (_, rows) => {
      const figures = (kind: string) => rows.find((row) => row.kind === kind)
      const [assets, all] = [figures('total_asset'), figures('total_all')]
      return assets?.amountAgorot === all?.amountAgorot && assets?.openingAgorot === all?.openingAgorot
    },
  },
})

const sumRow = (section: string, kind: string, line: string, opening: number, amount: number): ReportRow => ({
  section,
  sum: true,
  kind,
  code: '',
  line,
  openingAgorot: opening,
  amountAgorot: amount,
  changeAgorot: amount - opening,
})
