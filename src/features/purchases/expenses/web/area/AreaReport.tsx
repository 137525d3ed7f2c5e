import { ChartColumn, Download, FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { yearPeriod } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import { callFile, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { Figures as Figs, MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { PeriodChoice } from '#kit/web/screens/PeriodChoice.tsx'
import { periodIn } from '#kit/web/screens/periods.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { expenseFacts, exportMyExpenses, myExpenses } from '../../endpoints.ts'
import '../expenses.css'

/** What I entered, by month and kind. */
export function Screen() {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const today = useToday()
  const period = query.from || query.to ? periodIn(query, today) : { from: yearPeriod(today).from, to: today }
  const typeId = query.typeId || undefined
  const asked = { ...period, ...(typeId ? { typeId } : {}) }
  const { data, isLoading } = useCall(myExpenses, asked)
  const facts = useCall(expenseFacts, {})
  const [isSaving, setSaving] = useState(false)
  const save = async (format: 'xlsx' | 'csv') => {
    setSaving(true)
    await callFile(exportMyExpenses, { ...asked, format }).catch((e: unknown) =>
      banner.error(failureText(t, e)),
    )
    setSaving(false)
  }
  const rows = (data?.sums ?? []).map((row, i) => ({ ...row, key: String(i) }))
  const sum = (name: 'netAgorot' | 'vatAgorot' | 'totalAgorot') =>
    rows.reduce((all, row) => all + row[name], 0)
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.expensesArea'), href: '/invoiceexp/Expenses' }]}
        title={t('screens.reportExpensesOnly')}
        actions={
          <>
            <Button
              icon={FileSpreadsheet}
              busy={isSaving}
              isDisabled={rows.length === 0}
              onPress={() => void save('xlsx')}
            >
              {t('kit.lists.xlsx')}
            </Button>
            <Button icon={Download} isDisabled={rows.length === 0} onPress={() => void save('csv')}>
              {t('kit.lists.csv')}
            </Button>
          </>
        }
      />
      <div className="d-asks ex-above items-end">
        <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />
        <ChoiceField
          as="list"
          label={t('expenses.fields.typeId')}
          value={typeId ?? ''}
          onChange={(chosen) => setQuery({ typeId: chosen || undefined })}
          choices={[
            { value: '', label: t('expenses.area.allTypes') },
            ...(facts.data?.types ?? []).map((one) => ({ value: one.id, label: one.name })),
          ]}
        />
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
