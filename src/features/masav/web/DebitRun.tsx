import { Landmark, Pencil } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem, type Day } from '../../../domain/day.ts'
import { formatDay } from '../../../domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '../../../kit/web/call.ts'
import { MoneyCell, TextCell } from '../../../kit/web/fields/cells.tsx'
import { DayField } from '../../../kit/web/fields/DayField.tsx'
import { FlagField } from '../../../kit/web/fields/FlagField.tsx'
import { MoneyField } from '../../../kit/web/fields/NumberFields.tsx'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { FormDialog } from '../../../kit/web/parts/FormDialog.tsx'
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
import { makeDebits, masavSettings, proposeDebits, saveMandate, type DebitProposal } from '../endpoints.ts'
import { nextBankingDay } from './CreditRun.tsx'
import './masav.css'
import { AccountCell, NoSettings } from './shared.tsx'

/** Open invoices of customers who signed a leave to debit their account; the others can be given one here. */
export function Screen() {
  const t = useWords()
  const today = dayInJerusalem(new Date())
  const [until, setUntil] = useState<Day | null>(today)
  const [payDay, setPayDay] = useState<Day | null>(nextBankingDay(today))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [asks, setAsks] = useState(false)
  const [edits, setEdits] = useState<DebitProposal>()
  const [problem, setProblem] = useState<string>()
  const settings = useCall(masavSettings, {})
  const { data, isLoading, error } = useCall(proposeDebits, { until: until ?? today }, { enabled: until !== null })
  const rows = data?.rows ?? []
  const able = rows.filter((row) => row.hindrance === null)
  const chosen = able.filter((row) => !left.has(row.documentId))
  const make = async () => {
    setProblem(undefined)
    try {
      const { id } = await call(makeDebits, { payDay: payDay ?? today, documents: chosen.map((row) => row.documentId) })
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
        title={t('screens.masavDebits')}
        sub={t('masav.debitsSub')}
        actions={<Button href="/invoice/reportmasavretainer">{t('screens.masavCollections')}</Button>}
      />
      <div className="ms-stack">
        {settings.data && !settings.data.settings && <NoSettings />}
        {problem && <Note tone="late">{problem}</Note>}
        <div className="ms-form">
          <DayField label={t('masav.until')} value={until} onChange={setUntil} />
          <DayField label={t('masav.debitDay')} value={payDay} onChange={setPayDay} />
        </div>
        <DataTable
          label={t('screens.masavDebits')}
          main
          rows={rows}
          rowKey={(row) => row.documentId}
          rowName={(row) => `${row.name} ${row.number}`}
          rowHref={(row) => `/invoice/preview/${row.documentId}`}
          onOpen={(row) => go(`/invoice/preview/${row.documentId}`)}
          loading={isLoading}
          isOff={(row) => row.hindrance !== null}
          selected={new Set(chosen.map((row) => row.documentId))}
          onSelect={(next) => setLeft(new Set(able.filter((row) => !next.has(row.documentId)).map((row) => row.documentId)))}
          menu={(row) => [
            {
              key: 'mandate',
              label: t(row.mandate ? 'masav.mandateEdit' : 'masav.mandateAdd'),
              icon: Pencil,
              onAction: () => setEdits(row),
            },
          ]}
          empty={
            <EmptyState icon={Landmark} title={error ? failureText(t, error) : t('masav.noneOpen')}>
              {t('masav.noneOpenText')}
            </EmptyState>
          }
          columns={[
            {
              key: 'name',
              title: t('masav.customer'),
              strong: true,
              width: 'trim',
              phone: 'title',
              cell: (row) => <TextCell value={row.name} />,
            },
            { key: 'number', title: t('masav.document'), width: 'fit', cell: (row) => <Num>{row.number}</Num> },
            { key: 'due', title: t('masav.due'), width: 'fit', phone: 'line', cell: (row) => <Num>{formatDay(row.dueDay)}</Num> },
            { key: 'account', title: t('masav.account'), width: 'fit', cell: (row) => <AccountCell of={row} /> },
            {
              key: 'state',
              title: t('masav.mandate'),
              width: 'fit',
              phone: 'state',
              cell: (row) =>
                row.hindrance ? (
                  <StatusPill tone="late">{t(`masav.hindrance.${row.hindrance}`)}</StatusPill>
                ) : (
                  <Num>{row.mandate?.reference}</Num>
                ),
            },
            { key: 'open', title: t('masav.open'), align: 'amount', phone: 'amount', cell: (row) => <MoneyCell value={row.openAgorot} /> },
          ]}
        />
        <SelectionBar
          count={chosen.length}
          sums={[{ label: t('masav.open'), value: <Money amount={chosen.reduce((sum, row) => sum + row.openAgorot, 0)} /> }]}
          onClear={() => setLeft(new Set(able.map((row) => row.documentId)))}
        >
          <Button hi icon={Landmark} isDisabled={!settings.data?.settings || !payDay} onPress={() => setAsks(true)}>
            {t('masav.makeDebits')}
          </Button>
        </SelectionBar>
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('masav.askDebits', { count: chosen.length })}
        verb={t('masav.makeDebits')}
        onConfirm={make}
      >
        {t('masav.askDebitsText', { day: payDay ? formatDay(payDay) : '' })}
      </Question>
      {edits && <MandateDialog of={edits} onClose={() => setEdits(undefined)} />}
    </>
  )
}

function MandateDialog({ of, onClose }: { of: DebitProposal; onClose: () => void }) {
  const t = useWords()
  const [reference, setReference] = useState(of.mandate?.reference ?? '')
  const [since, setSince] = useState<Day | null>(of.mandate?.since ?? dayInJerusalem(new Date()))
  const [ceiling, setCeiling] = useState<number | null>(of.mandate?.ceilingAgorot ?? null)
  const [ended, setEnded] = useState(false)
  const save = async () => {
    await call(saveMandate, { customerId: of.customerId, reference: reference.trim(), since: since ?? '', ceilingAgorot: ceiling, ended })
    await queryClient.invalidateQueries({ queryKey: keyOf(proposeDebits) })
    onClose()
  }
  return (
    <FormDialog
      title={t('masav.mandateOf', { name: of.name })}
      verb={t('kit.forms.save')}
      names={['reference', 'since', 'ceilingAgorot']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <p className="sub">{t('masav.mandateText')}</p>
          <TextField
            label={t('masav.mandateNumber')}
            value={reference}
            onChange={setReference}
            ltr
            inputMode="numeric"
            max={20}
            {...refusal('reference')}
            autoFocus
          />
          <DayField label={t('masav.mandateSince')} value={since} onChange={setSince} {...refusal('since')} />
          <MoneyField
            label={t('masav.ceiling')}
            hint={t('masav.ceilingHint')}
            value={ceiling}
            onChange={setCeiling}
            {...refusal('ceilingAgorot')}
          />
          {of.mandate && <FlagField label={t('masav.mandateEnds')} value={ended} onChange={setEnded} />}
        </>
      )}
    </FormDialog>
  )
}
