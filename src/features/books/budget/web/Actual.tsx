import { Link } from 'react-aria-components/Link'
import { addMonths, endOfMonth } from '#domain/day.ts'
import { formatNumber, formatPercent } from '#domain/format.ts'
import { sum, timesFraction, toWholeShekels, type Agorot } from '#domain/money.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { BudgetRow, BudgetYear } from '../endpoints.ts'
import { isQuiet, upTo } from './model.ts'
import { useMonths } from './months.ts'

type Sides = ReturnType<typeof upTo>
interface Line {
  key: string
  name: string
  number?: string
  /** Whether more than meant is good. */
  kind: BudgetRow['kind'] | 'result'
  accountId?: string
  sides: Sides
}

const kinds = ['income', 'expense'] as const

const added = (all: readonly Sides[]): Sides => ({
  month: {
    budget: sum(all.map(({ month }) => month.budget)),
    actual: sum(all.map(({ month }) => month.actual)),
  },
  year: { budget: sum(all.map(({ year }) => year.budget)), actual: sum(all.map(({ year }) => year.actual)) },
  whole: sum(all.map(({ whole }) => whole)),
})

const turned = (sides: Sides): Sides => ({
  month: { budget: -sides.month.budget || 0, actual: -sides.month.actual || 0 },
  year: { budget: -sides.year.budget || 0, actual: -sides.year.actual || 0 },
  whole: -sides.whole || 0,
})

/**
 * What really was beside the budget, of one month and from January to it; every real figure opens its lines.
 */
export function Actual({ data }: { data: BudgetYear }) {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const { long } = useMonths()
  const asked = Number(query.month)
  const usual = Math.min(12, Math.max(1, data.monthsPast))
  const month = Number.isInteger(asked) && asked >= 1 && asked <= 12 ? asked : usual
  const lineOf = (row: BudgetRow): Line => ({
    key: row.accountId,
    name: row.name,
    number: row.number,
    kind: row.kind,
    accountId: row.accountId,
    sides: upTo(row, month),
  })
  const groups = kinds.map((kind) =>
    data.rows.filter((row) => row.kind === kind && !isQuiet(row)).map(lineOf),
  )
  const sums = groups.map((lines) => added(lines.map(({ sides }) => sides)))
  const lines: Line[] = [
    ...kinds.flatMap((kind, i): Line[] => [
      ...groups[i]!,
      { key: kind, name: t(`budget.totalOf.${kind}`), kind, sides: sums[i]! },
    ]),
    { key: 'result', name: t('budget.result'), kind: 'result', sides: added([sums[0]!, turned(sums[1]!)]) },
  ]
  const first = `${data.year}-${String(month).padStart(2, '0')}-01`
  const linesOf = (line: Line, from: string) =>
    line.accountId
      ? `/invoice/cardskarteset/${line.accountId}?from=${from}&to=${endOfMonth(first)}`
      : undefined
  const columnsOf = (side: 'month' | 'year', from: string): Column<Line>[] => {
    const band =
      side === 'month' ? long[month - 1]! : t('budget.toDate', { from: long[0]!, to: long[month - 1]! })
    return [
      {
        key: `${side}Budget`,
        band,
        title: t('budget.columns.budget'),
        align: 'amount',
        cell: ({ sides }) => <Whole agorot={sides[side].budget} />,
      },
      {
        key: `${side}Actual`,
        band,
        title: t('budget.columns.actual'),
        align: 'amount',
        ...(side === 'year' ? { phone: 'amount' as const } : {}),
        cell: (line) => (
          <Whole agorot={line.sides[side].actual} href={linesOf(line, from)} label={line.name} />
        ),
      },
      {
        key: `${side}Difference`,
        band,
        title: t('budget.columns.difference'),
        align: 'amount',
        ...(side === 'year' ? { phone: 'line' as const } : {}),
        cell: ({ sides, kind }) => <Difference {...sides[side]} kind={kind} />,
      },
    ]
  }
  return (
    <div className="bu-stack">
      <div className="bu-month">
        <ChoiceField
          label={t('budget.month')}
          value={String(month)}
          choices={long.map((label, i) => ({ value: String(i + 1), label }))}
          onChange={(value) =>
            setQuery({ month: value === null || Number(value) === usual ? undefined : value })
          }
        />
        <Link
          className="link"
          href={`/invoice/reportprofitloss?from=${data.year}-01-01&to=${endOfMonth(addMonths(`${data.year}-01-01`, month - 1))}&compare=budget`}
        >
          {t('budget.inProfitLoss')}
        </Link>
      </div>
      <DataTable
        label={t('budget.views.actual')}
        main
        density="compact"
        rows={lines}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
        isSum={({ accountId }) => accountId === undefined}
        columns={[
          {
            key: 'name',
            title: t('budget.account'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: ({ number, name }) => (
              <>
                {number && <Num className="no">{number}</Num>} <bdi>{name}</bdi>
              </>
            ),
          },
          ...columnsOf('month', first),
          ...columnsOf('year', `${data.year}-01-01`),
          {
            key: 'used',
            band: t('budget.toDate', { from: long[0]!, to: long[month - 1]! }),
            title: '%',
            align: 'amount',
            phone: 'state',
            cell: ({ sides }) =>
              sides.year.budget === 0 ? (
                <span className="hint">–</span>
              ) : (
                <Num>
                  {formatPercent(
                    Math.round(
                      timesFraction(10_000, sides.year.actual, sides.year.budget, 'halfAwayFromZero') / 100,
                    ) * 100,
                  )}
                </Num>
              ),
          },
          {
            key: 'whole',
            title: t('budget.columns.whole'),
            align: 'amount',
            cell: ({ sides }) => <Whole agorot={sides.whole} />,
          },
        ]}
      />
    </div>
  )
}

function Whole({ agorot, href, label }: { agorot: Agorot; href?: string | undefined; label?: string }) {
  const text = agorot === 0 ? '–' : formatNumber(toWholeShekels(agorot))
  if (!href || agorot === 0) return <Num>{text}</Num>
  return (
    <Link href={href} className="link aim" aria-label={`${label}: ${text}`}>
      <Num>{text}</Num>
    </Link>
  )
}

/** Against the budget, with a plus or a minus; red where it is worse than meant. */
function Difference({ budget, actual, kind }: { budget: Agorot; actual: Agorot; kind: Line['kind'] }) {
  const difference = actual - budget
  if (toWholeShekels(difference) === 0) return <span className="hint">–</span>
  const isWorse = kind === 'expense' ? difference > 0 : difference < 0
  return (
    <span className={isWorse ? 'late' : undefined} dir="ltr">
      <Num>{`${difference > 0 ? '+' : '−'}${formatNumber(toWholeShekels(Math.abs(difference)))}`}</Num>
    </span>
  )
}
