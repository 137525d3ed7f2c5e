import { Pencil, Send } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { makeDebits, proposeDebits, saveMandate, type DebitProposal } from '../endpoints.ts'
import { Mandates, openAskMandate } from './AskMandate.tsx'
import { NewRun, useRunDays } from './NewRun.tsx'
import { AccountCell } from './shared.tsx'

/** Open invoices of customers who signed a leave to debit their account; the others can be given one here. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const days = useRunDays(0)
  const [edits, setEdits] = useState<DebitProposal>()
  const { data, isLoading, error } = useCall(
    proposeDebits,
    { until: days.until ?? days.today },
    { enabled: days.until !== null },
  )
  const pathOf = (row: DebitProposal) => `/invoice/preview/${row.documentId}`
  return (
    <>
      <NewRun<DebitProposal>
        title={t('screens.masavDebits')}
        sub={t('masav.debitsSub')}
        files={{ label: t('screens.masavCollections'), href: '/invoice/reportmasavretainer' }}
        days={days}
        dayLabel={t('masav.debitDay')}
        rows={data?.rows ?? []}
        loading={isLoading}
        error={error}
        rowKey={(row) => row.documentId}
        rowName={(row) => `${row.name} ${row.number}`}
        rowHref={pathOf}
        onOpen={(row) => go(pathOf(row))}
        menu={(row) => [
          {
            key: 'mandate',
            label: t(row.mandate ? 'masav.mandateEdit' : 'masav.mandateAdd'),
            icon: Pencil,
            onPress: () => setEdits(row),
          },
          ...(may('signing.send')
            ? [
                {
                  key: 'ask',
                  label: t('masav.askMandate'),
                  icon: Send,
                  onPress: () => openAskMandate({ customerId: row.customerId, name: row.name }),
                },
              ]
            : []),
        ]}
        isAble={(row) => row.hindrance === null}
        none={{ title: t('masav.noneOpen'), text: t('masav.noneOpenText') }}
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
          {
            key: 'due',
            title: t('masav.due'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{formatDay(row.dueDay)}</Num>,
          },
          {
            key: 'account',
            title: t('masav.account'),
            width: 'fit',
            cell: (row) => <AccountCell of={row} />,
          },
          {
            key: 'state',
            title: t('masav.mandate'),
            width: 'fit',
            phone: 'state',
            cell: (row) =>
              row.hindrance === 'noMandate' && row.isAsked ? (
                <StatusPill tone="info">{t('masav.hindrance.isAsked')}</StatusPill>
              ) : row.hindrance ? (
                <StatusPill tone="late">{t(`masav.hindrance.${row.hindrance}`)}</StatusPill>
              ) : row.mandate?.isStale ? (
                <StatusPill tone="wait">{t('masav.mandateStale')}</StatusPill>
              ) : (
                <Num>{row.mandate?.reference}</Num>
              ),
          },
          {
            key: 'open',
            title: t('masav.open'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.openAgorot} />,
          },
        ]}
        sums={[{ label: t('masav.open'), of: (row) => row.openAgorot }]}
        verb={t('masav.makeDebits')}
        hiddenSums={t('masav.hiddenDebits')}
        ask={(chosen) => t('masav.askDebits', { count: chosen.length })}
        askText={(_, day) => t('masav.askDebitsText', { day })}
        make={(chosen, payDay) =>
          call(makeDebits, { payDay, documents: chosen.map((row) => row.documentId) })
        }
      />
      {edits && <MandateDialog of={edits} onClose={() => setEdits(undefined)} />}
    </>
  )
}

function MandateDialog({ of, onClose }: { of: DebitProposal; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const [reference, setReference] = useState(of.mandate?.reference ?? '')
  const [since, setSince] = useState<Day | null>(of.mandate?.since ?? today)
  const [ceiling, setCeiling] = useState<number | null>(of.mandate?.ceilingAgorot ?? null)
  const hides = useSession()?.HideTotalPrices ?? false
  const [ended, setEnded] = useState(false)
  const save = async () => {
    await call(saveMandate, {
      customerId: of.customerId,
      reference: reference.trim(),
      since: since ?? '',
      ...(hides ? {} : { ceilingAgorot: ceiling }),
      ended,
    })
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
          {of.mandate?.isStale && <Note tone="wait">{t('masav.mandateStaleText')}</Note>}
          {of.mandate?.lastUsedOn && (
            <p className="sub">
              {t('masav.mandateUsed')} <Num>{formatDay(of.mandate.lastUsedOn)}</Num>
            </p>
          )}
          <TextField
            label={t('masav.mandateNumber')}
            value={reference}
            onChange={setReference}
            ltr
            inputMode="numeric"
            max={20}
            {...refusal('reference', reference)}
            autoFocus
          />
          <DayField
            label={t('masav.mandateSince')}
            value={since}
            onChange={setSince}
            {...refusal('since', since)}
          />
          {!hides && (
            <MoneyField
              label={t('masav.ceiling')}
              hint={t('masav.ceilingHint')}
              value={ceiling}
              onChange={setCeiling}
              {...refusal('ceilingAgorot', ceiling)}
            />
          )}
          <Mandates bare customerId={of.customerId} name={of.name} />
          {of.mandate && <FlagField label={t('masav.mandateEnds')} value={ended} onChange={setEnded} />}
        </>
      )}
    </FormDialog>
  )
}
