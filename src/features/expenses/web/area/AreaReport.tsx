import { ChartColumn } from 'lucide-react'
import { yearPeriod } from '../../../../domain/day.ts'
import { formatMoney } from '../../../../domain/format.ts'
import { useCall } from '../../../../kit/web/call.ts'
import { Figures as Figs, MoneyCell, TextCell } from '../../../../kit/web/fields/cells.tsx'
import { DataTable } from '../../../../kit/web/parts/DataTable.tsx'
import { EmptyState } from '../../../../kit/web/parts/EmptyState.tsx'
import { Num } from '../../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../../kit/web/parts/PageHeader.tsx'
import { usePlace } from '../../../../kit/web/place.ts'
import { PeriodChoice } from '../../../../kit/web/screens/PeriodChoice.tsx'
import { periodIn } from '../../../../kit/web/screens/periods.ts'
import { useSession } from '../../../../kit/web/session.ts'
import { useWords } from '../../../../kit/web/words.tsx'
import { dayInJerusalem } from '../../../../domain/day.ts'
import { myExpenses } from '../../endpoints.ts'
import '../expenses.css'

/** What I entered, by month and kind. */
export function Screen() {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const today = dayInJerusalem(new Date())
  const period = query.from || query.to ? periodIn(query, today) : { from: yearPeriod(today).from, to: today }
  const { data, isLoading } = useCall(myExpenses, period)
  const rows = (data?.sums ?? []).map((row, i) => ({ ...row, key: String(i) }))
  const sum = (name: 'netAgorot' | 'vatAgorot' | 'totalAgorot') => rows.reduce((all, row) => all + row[name], 0)
  return (
    <>
      <PageHeader crumbs={[{ label: t('screens.expensesArea'), href: '/invoiceexp/Expenses' }]} title={t('screens.reportExpensesOnly')} />
      <div className="d-asks ex-above">
        <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />
      </div>
      <DataTable
        label={t('screens.reportExpensesOnly')}
        main
        rows={rows}
        rowKey={(row) => row.key}
        loading={isLoading}
        empty={<EmptyState icon={ChartColumn} title={t('expenses.area.noSums')} />}
        columns={[
          {
            key: 'month',
            title: t('expenses.area.month'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{`${row.month.slice(5, 7)}/${row.month.slice(0, 4)}`}</Num>,
          },
          {
            key: 'type',
            title: t('expenses.fields.typeId'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: (row) => <TextCell value={row.type} />,
          },
          ...(hides
            ? []
            : (['netAgorot', 'vatAgorot', 'totalAgorot'] as const).map((name) => ({
                key: name,
                title: t(`expenses.fields.${name}`),
                align: 'amount' as const,
                cell: (row: (typeof rows)[number]) => <MoneyCell value={row[name]} zero="blank" />,
                foot: <Figs text={formatMoney(sum(name))} />,
                ...(name === 'totalAgorot' ? { phone: 'amount' as const } : {}),
              }))),
        ]}
      />
    </>
  )
}
