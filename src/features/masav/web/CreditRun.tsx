import { Landmark, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { addDays, dayInJerusalem, weekday, type Day } from '../../../domain/day.ts'
import { formatDay } from '../../../domain/format.ts'
import { call, failureText, useCall } from '../../../kit/web/call.ts'
import { DayField } from '../../../kit/web/fields/DayField.tsx'
import { FlagField } from '../../../kit/web/fields/FlagField.tsx'
import { MoneyCell, TextCell } from '../../../kit/web/fields/cells.tsx'
import { Note } from '../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { DataTable } from '../../../kit/web/parts/DataTable.tsx'
import { Question } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '../../../kit/web/parts/SelectionBar.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { go } from '../../../kit/web/place.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { makeCredits, masavSettings, proposeCredits, type CreditProposal } from '../endpoints.ts'
import { AccountCell, NoSettings } from './shared.tsx'
import './masav.css'

/** The next day on which banks clear: never Friday or Saturday. */
export const nextBankingDay = (from: Day): Day => ([5, 6].includes(weekday(from)) ? nextBankingDay(addDays(from, 1)) : from)

/** Suppliers who are due: choose, see what is withheld and where the rest goes, and pay them all by one file. */
export function Screen() {
  const t = useWords()
  const today = dayInJerusalem(new Date())
  const [until, setUntil] = useState<Day | null>(addDays(today, 7))
  const [payDay, setPayDay] = useState<Day | null>(nextBankingDay(today))
  const [notify, setNotify] = useState(true)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState<string>()
  const settings = useCall(masavSettings, {})
  const { data, isLoading, error } = useCall(proposeCredits, { until: until ?? today }, { enabled: until !== null })
  const rows = data?.rows ?? []
  const payable = rows.filter((row) => row.hindrance === null)
  const chosen = payable.filter((row) => !left.has(row.supplierId))
  const sumOf = (of: (row: CreditProposal) => number) => chosen.reduce((sum, row) => sum + of(row), 0)
  const changed = chosen.filter((row) => row.bankChanged)
  const make = async () => {
    setProblem(undefined)
    try {
      const { id } = await call(makeCredits, {
        payDay: payDay ?? today,
        notify,
        suppliers: chosen.map((row) => ({
          supplierId: row.supplierId,
          bills: row.bills.map((bill) => ({ id: bill.id, amountAgorot: bill.openAgorot })),
        })),
      })
      banner.success(t('masav.made'))
      go(`/invoice/masavfile/${id}`)
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setAsks(false)
  }
  return (
    <>
      <PageHeader
        title={t('screens.masavRun')}
        sub={t('masav.runSub')}
        actions={<Button href="/invoice/reportmasavpayment">{t('screens.masavPayments')}</Button>}
      />
      <div className="ms-stack">
        {settings.data && !settings.data.settings && <NoSettings />}
        {problem && <Note tone="late">{problem}</Note>}
        <div className="ms-form">
          <DayField label={t('masav.until')} value={until} onChange={setUntil} />
          <DayField label={t('masav.payDay')} value={payDay} onChange={setPayDay} />
          <FlagField label={t('masav.notify')} value={notify} onChange={setNotify} />
        </div>
        {(data?.foreignBills ?? 0) > 0 && <Note>{t('masav.foreignBills', { count: data!.foreignBills })}</Note>}
        <DataTable
          label={t('screens.masavRun')}
          main
          rows={rows}
          rowKey={(row) => row.supplierId}
          rowName={(row) => row.name}
          rowHref={(row) => `/invoice/supplierpayments/${row.supplierId}`}
          loading={isLoading}
          isOff={(row) => row.hindrance !== null}
          selected={new Set(chosen.map((row) => row.supplierId))}
          onSelect={(next) => setLeft(new Set(payable.filter((row) => !next.has(row.supplierId)).map((row) => row.supplierId)))}
          empty={
            <EmptyState icon={Landmark} title={error ? failureText(t, error) : t('masav.noneDue')}>
              {t('masav.noneDueText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'name',
              title: t('masav.supplier'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (row) => <TextCell value={row.name} />,
            },
            {
              key: 'bills',
              title: t('masav.bills'),
              width: 'fit',
              cell: (row) => (
                <span>
                  <Num>{row.bills.length}</Num> · <Num>{formatDay(row.bills[0]!.dueDay)}</Num>
                </span>
              ),
            },
            { key: 'account', title: t('masav.account'), width: 'fit', phone: 'line', cell: (row) => <AccountCell of={row} /> },
            {
              key: 'state',
              title: t('masav.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) =>
                row.hindrance ? (
                  <StatusPill tone="late">{t(`masav.hindrance.${row.hindrance}`)}</StatusPill>
                ) : row.bankChanged ? (
                  <StatusPill tone="wait">{t('masav.bankChanged')}</StatusPill>
                ) : null,
            },
            { key: 'gross', title: t('masav.gross'), align: 'amount', cell: (row) => <MoneyCell value={row.grossAgorot} /> },
            { key: 'withheld', title: t('masav.withheld'), align: 'amount', cell: (row) => <MoneyCell value={row.withheldAgorot} /> },
            { key: 'net', title: t('masav.net'), align: 'amount', phone: 'amount', cell: (row) => <MoneyCell value={row.netAgorot} /> },
          ]}
        />
        <SelectionBar
          count={chosen.length}
          sums={[
            { label: t('masav.withheld'), value: <Money amount={sumOf((row) => row.withheldAgorot)} /> },
            { label: t('masav.net'), value: <Money amount={sumOf((row) => row.netAgorot)} /> },
          ]}
          onClear={() => setLeft(new Set(payable.map((row) => row.supplierId)))}
        >
          <Button hi icon={Landmark} isDisabled={!settings.data?.settings || !payDay} onPress={() => setAsks(true)}>
            {t('masav.make')}
          </Button>
        </SelectionBar>
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('masav.ask', { count: chosen.length })}
        verb={t('masav.make')}
        onConfirm={make}
      >
        <p>{t('masav.askText', { day: payDay ? formatDay(payDay) : '' })}</p>
        {changed.length > 0 && (
          <Note tone="late" icon={TriangleAlert}>
            {t('masav.askChanged', { names: changed.map((row) => row.name).join(', ') })}
          </Note>
        )}
      </Question>
    </>
  )
}
