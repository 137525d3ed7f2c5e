import { ListChecks, TriangleAlert, UserRound } from 'lucide-react'
import { useContext, useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { makeCredits, proposeCredits, workOutCredits, type CreditProposal } from '../endpoints.ts'
import { billsOf, ChooseBills, type Picks } from './ChooseBills.tsx'
import { NewRun, useRunDays } from './NewRun.tsx'
import { AccountCell } from './shared.tsx'

/**
 * Suppliers who are due: choose them and their bills, see what is withheld and where the rest goes, and pay
 * them all by one file.
 */
export function Screen() {
  const t = useWords()
  const days = useRunDays(7)
  const [notify, setNotify] = useState(true)
  const [picks, setPicks] = useState<Readonly<Record<string, Picks>>>({})
  const [opened, setOpened] = useState<CreditProposal>()
  const { until, today } = days
  const on = days.payDay ? { payDay: days.payDay } : {}
  const { data, isLoading, error } = useCall(
    proposeCredits,
    { until: until ?? today, ...on },
    { enabled: until !== null },
  )
  const proposed = data?.rows ?? []
  // Only of suppliers whose bills were chosen one by one; what the others come to is in the proposal.
  const asked = proposed.flatMap((row) => {
    const bills = billsOf(row, picks[row.supplierId])
    return picks[row.supplierId] && bills.length > 0 ? [{ supplierId: row.supplierId, bills }] : []
  })
  const worked = useCall(workOutCredits, { suppliers: asked, ...on }, { enabled: asked.length > 0 })
  const waits = asked.length > 0 && !worked.data
  const rows = proposed.map((row): CreditProposal => {
    if (!picks[row.supplierId]) return row
    const own = worked.data?.rows.find((one) => one.supplierId === row.supplierId)
    return {
      ...row,
      ...(own ?? {
        grossAgorot: 0,
        withheldAgorot: 0,
        netAgorot: 0,
        hindrance: waits ? row.hindrance : 'nothing',
      }),
    }
  })
  const chosenOf = (row: CreditProposal) => billsOf(row, picks[row.supplierId])
  return (
    <>
      <NewRun<CreditProposal>
        title={t('screens.masavRun')}
        sub={t('masav.runSub')}
        files={{ label: t('screens.masavPayments'), href: '/invoice/reportmasavpayment' }}
        days={days}
        dayLabel={t('masav.payDay')}
        fields={<FlagField label={t('masav.notify')} value={notify} onChange={setNotify} />}
        notes={
          <>
            {(data?.foreignBills ?? 0) > 0 && (
              <Note>{t('masav.foreignBills', { count: data!.foreignBills })}</Note>
            )}
            {worked.error && <Note tone="late">{failureText(t, worked.error)}</Note>}
          </>
        }
        rows={rows}
        loading={isLoading}
        error={error}
        rowKey={(row) => row.supplierId}
        rowName={(row) => row.name}
        onOpen={setOpened}
        opensOnPhone
        menu={(row) => [
          { key: 'bills', label: t('masav.chooseBills'), icon: ListChecks, onPress: () => setOpened(row) },
          {
            key: 'supplier',
            label: t('masav.paymentsOf'),
            icon: UserRound,
            onPress: () => go(`/invoice/supplierpayments/${row.supplierId}`),
          },
        ]}
        isAble={(row) => row.hindrance === null}
        none={{ title: t('masav.noneDue'), text: t('masav.noneDueText') }}
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
            phone: 'line',
            cell: (row) => <BillsCell of={row} chosen={picks[row.supplierId] && chosenOf(row).length} />,
          },
          {
            key: 'account',
            title: t('masav.account'),
            width: 'fit',
            cell: (row) => <AccountCell of={row} />,
          },
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
          {
            key: 'gross',
            title: t('masav.gross'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.grossAgorot} />,
          },
          {
            key: 'withheld',
            title: t('masav.withheld'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.withheldAgorot} />,
          },
          {
            key: 'net',
            title: t('masav.net'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.netAgorot} />,
          },
        ]}
        sums={[
          { label: t('masav.withheld'), of: (row) => row.withheldAgorot },
          { label: t('masav.net'), of: (row) => row.netAgorot },
        ]}
        waits={waits}
        verb={t('masav.make')}
        hiddenSums={t('masav.hiddenSums')}
        ask={(chosen) => t('masav.ask', { count: chosen.length })}
        askText={(chosen, day) => {
          const changed = chosen.filter((row) => row.bankChanged)
          return (
            <>
              <p>{t('masav.askText', { day })}</p>
              {changed.length > 0 && (
                <Note tone="late" icon={TriangleAlert}>
                  {t('masav.askChanged', { names: changed.map((row) => row.name).join(', ') })}
                </Note>
              )}
            </>
          )
        }}
        make={(chosen, payDay) =>
          call(makeCredits, {
            payDay,
            notify,
            suppliers: chosen.map((row) => ({ supplierId: row.supplierId, bills: chosenOf(row) })),
          })
        }
      />
      {opened && (
        <ChooseBills
          of={proposed.find((row) => row.supplierId === opened.supplierId) ?? opened}
          picks={picks[opened.supplierId]}
          {...on}
          onClose={() => setOpened(undefined)}
          onChoose={(next) => setPicks({ ...picks, [opened.supplierId]: next })}
        />
      )}
    </>
  )
}

/** How many bills and when the first is due; a card has room for the account below them. */
function BillsCell({
  of: { bills, ...account },
  chosen,
}: {
  of: CreditProposal
  chosen: number | undefined
}) {
  const isCard = useContext(PlainCells)
  return (
    <>
      <Num>
        {chosen === undefined ? '' : `${chosen}/`}
        {bills.length} · {formatDay(bills[0]!.dueDay)}
      </Num>
      {isCard && account.account && (
        <>
          <br />
          <AccountCell of={account} />
        </>
      )}
    </>
  )
}
