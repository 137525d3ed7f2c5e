import { useState } from 'react'
import { addDays, addMonths, startOfMonth } from '#domain/day.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import {
  addDeposit,
  bookDeposit,
  denyDeal,
  explainDeal,
  keepAcquirerInvoice,
  settlementFacts,
  takeDays,
  takeFile,
} from '../endpoints.ts'
import { refreshSettlements } from './says.tsx'

interface Props {
  onClose: () => void
}

function useTerminals() {
  const t = useWords()
  const { data } = useCall(settlementFacts, {})
  return (data?.terminals ?? []).map((one) => ({
    ...one,
    value: one.id,
    label: one.name || (wordIfAny(t, `cardCharges.acquirer.${one.gateway}`) ?? one.gateway),
  }))
}

/** Which terminal is meant: the first until another is chosen. */
function useChosenTerminal() {
  const terminals = useTerminals()
  const [chosen, setChosen] = useState<string | null>(null)
  return { terminals, terminal: terminals.find(({ id }) => id === chosen) ?? terminals[0], choose: setChosen }
}

/** The question of the terminal, where there is more than one. */
function TerminalField({
  of,
  error,
}: {
  of: ReturnType<typeof useChosenTerminal>
  error?: string | undefined
}) {
  const t = useWords()
  if (of.terminals.length < 2) return null
  return (
    <ChoiceField
      label={t('settlements.terminal')}
      as="list"
      value={of.terminal?.id ?? null}
      onChange={of.choose}
      choices={of.terminals}
      {...(error ? { error } : {})}
    />
  )
}

/** The deals of some days: asked of the acquirer, or out of its file. */
export function TakeDialog({ onClose }: Props) {
  const t = useWords()
  const asked = useChosenTerminal()
  const { terminal } = asked
  const today = useToday()
  const [from, setFrom] = useState<string | null>(addDays(today, -7))
  const [to, setTo] = useState<string | null>(addDays(today, -1))
  const [file, setFile] = useState<File | null>(null)
  const asks = terminal ? terminal.lists || terminal.deposits : false
  return (
    <FormDialog
      title={t('settlements.take')}
      verb={t(file || !asks ? 'settlements.read' : 'settlements.ask')}
      isDisabled={!terminal || (!asks && !file)}
      names={['terminalId', 'from', 'to', 'bytes']}
      onClose={onClose}
      onSubmit={async () => {
        const taken = file
          ? await call(takeFile, { terminalId: terminal!.id, bytes: file } as never)
          : await call(takeDays, { terminalId: terminal!.id, from: from!, to: to! })
        await refreshSettlements()
        banner.success(t('settlements.taken', { deals: taken.deals, differences: taken.differences }))
        onClose()
      }}
    >
      {(error) => (
        <>
          <TerminalField of={asked} {...error('terminalId', terminal?.id)} />
          {!terminal && <Note>{t('settlements.noTerminals')}</Note>}
          {asks && !file && (
            <>
              <DayField
                label={t('settlements.from')}
                value={from}
                onChange={setFrom}
                {...error('from', from)}
              />
              <DayField label={t('settlements.to')} value={to} onChange={setTo} {...error('to', to)} />
            </>
          )}
          {terminal && !asks && <Note>{t('settlements.onlyFile')}</Note>}
          <FileField
            label={t('settlements.file')}
            optional={asks}
            hint={t('settlements.fileHint')}
            value={file}
            onChange={setFile}
            accept=".csv,.txt,.tsv,.xlsx"
            limit={4 * 1024 * 1024}
            {...error('bytes', file)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** What a difference is about, in a person's words. */
export function ExplainDialog({ id, onClose }: Props & { id: string }) {
  const t = useWords()
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('acquirerDeals.explainTitle')}
      verb={t('acquirerDeals.explain')}
      names={['note']}
      onClose={onClose}
      onSubmit={async () => {
        await call(explainDeal, { id, note })
        await refreshSettlements()
        onClose()
      }}
    >
      {(error) => (
        <LongText
          label={t('acquirerDeals.fields.note')}
          hint={t('acquirerDeals.explainHint')}
          value={note}
          onChange={setNote}
          max={300}
          {...error('note', note)}
        />
      )}
    </FormDialog>
  )
}

/** Money that an acquirer reversed is recorded as a disputed payment. */
export function DenyDialog({ id, agorot, onClose }: Props & { id: string; agorot: number }) {
  const t = useWords()
  const [reason, setReason] = useState('')
  const [answerBy, setAnswerBy] = useState<string | null>(null)
  return (
    <FormDialog
      title={t('acquirerDeals.denyTitle')}
      verb={t('acquirerDeals.denyDo')}
      danger
      names={['answerBy', 'reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(denyDeal, { id, reason, answerBy })
        await refreshSettlements()
        onClose()
      }}
    >
      {(error) => (
        <>
          <p className="sub">
            {t('acquirerDeals.denyText')} <Money amount={agorot} />
          </p>
          <DayField
            label={t('acquirerDeals.answerBy')}
            optional
            value={answerBy}
            onChange={setAnswerBy}
            {...error('answerBy', answerBy)}
          />
          <TextField
            label={t('acquirerDeals.reason')}
            max={300}
            value={reason}
            onChange={setReason}
            {...error('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Money that came to the bank, written down by hand. */
export function DepositDialog({ onClose }: Props) {
  const t = useWords()
  const today = useToday()
  const asked = useChosenTerminal()
  const { terminal } = asked
  const [day, setDay] = useState<string | null>(today)
  const [net, setNet] = useState<number | null>(null)
  return (
    <FormDialog
      title={t('acquirerDeposits.new')}
      verb={t('kit.forms.save')}
      isDisabled={!terminal}
      names={['terminalId', 'day', 'netAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        await call(addDeposit, { terminalId: terminal!.id, day: day!, netAgorot: net ?? 0 })
        await refreshSettlements()
        onClose()
      }}
    >
      {(error) => (
        <>
          <TerminalField of={asked} {...error('terminalId', terminal?.id)} />
          <DayField
            label={t('acquirerDeposits.fields.day')}
            value={day}
            onChange={setDay}
            {...error('day', day)}
          />
          <MoneyField
            label={t('acquirerDeposits.fields.netAgorot')}
            value={net}
            onChange={setNet}
            {...error('netAgorot', net)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The acquirer's invoice of a month, held against what deposits booked. */
export function InvoiceDialog({ onClose }: Props) {
  const t = useWords()
  const asked = useChosenTerminal()
  const { terminal } = asked
  const today = useToday()
  const [day, setDay] = useState<string | null>(addMonths(startOfMonth(today), -1))
  const [number, setNumber] = useState('')
  const [fee, setFee] = useState<number | null>(null)
  const [vat, setVat] = useState<number | null>(null)
  const rate = vatRateOn(today)
  return (
    <FormDialog
      title={t('settlements.invoice')}
      verb={t('settlements.compare')}
      isDisabled={!terminal}
      names={['terminalId', 'month', 'number', 'feeAgorot', 'feeVatAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        const held = await call(keepAcquirerInvoice, {
          terminalId: terminal!.id,
          month: (day ?? '').slice(0, 7),
          number,
          feeAgorot: fee ?? 0,
          feeVatAgorot: vat ?? 0,
        })
        await refreshSettlements()
        const told = held.twiceAgorot
          ? 'settlements.invoiceTwice'
          : held.differenceAgorot
            ? 'settlements.invoiceDiffers'
            : 'settlements.invoiceFits'
        banner[held.twiceAgorot || held.differenceAgorot ? 'error' : 'success'](t(told))
        onClose()
        go('/invoice/reportacquirerfees')
      }}
    >
      {(error) => (
        <>
          <p className="sub">{t('settlements.invoiceText')}</p>
          <TerminalField of={asked} {...error('terminalId', terminal?.id)} />
          <DayField
            label={t('settlements.invoiceMonth')}
            value={day}
            onChange={setDay}
            {...error('month', day)}
          />
          <TextField
            label={t('acquirerDeposits.invoiceNumber')}
            ltr
            value={number}
            onChange={setNumber}
            max={40}
            {...error('number', number)}
          />
          <MoneyField
            label={t('settlements.invoiceFee')}
            value={fee}
            onChange={(value) => {
              setFee(value)
              setVat(Math.round(((value ?? 0) * rate) / 10_000))
            }}
            {...error('feeAgorot', fee)}
          />
          <MoneyField
            label={t('acquirerDeposits.fields.feeVatAgorot')}
            value={vat}
            onChange={setVat}
            {...error('feeVatAgorot', vat)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** A deposit goes into the books with the fee that was kept of it. */
export function BookDialog({ id, netAgorot, onClose }: Props & { id: string; netAgorot: number }) {
  const t = useWords()
  const today = useToday()
  const { data } = useCall(settlementFacts, {})
  const banks = (data?.bankAccounts ?? []).map((one) => ({ value: one.id, label: one.name }))
  const [bank, setBank] = useState<string | null>(null)
  const [fee, setFee] = useState<number | null>(0)
  const [vat, setVat] = useState<number | null>(0)
  const [number, setNumber] = useState('')
  const bankAccountId = bank ?? banks[0]?.value ?? null
  const rate = vatRateOn(today)
  return (
    <FormDialog
      title={t('acquirerDeposits.bookTitle')}
      verb={t('acquirerDeposits.book')}
      isDisabled={!bankAccountId}
      names={['bankAccountId', 'feeAgorot', 'feeVatAgorot', 'invoiceNumber']}
      onClose={onClose}
      onSubmit={async () => {
        const booked = await call(bookDeposit, {
          id,
          bankAccountId: bankAccountId!,
          feeAgorot: fee ?? 0,
          feeVatAgorot: vat ?? 0,
          invoiceNumber: number,
        })
        await refreshSettlements()
        banner.success(t(booked.matched ? 'acquirerDeposits.bookedMatched' : 'acquirerDeposits.bookedAlone'))
        onClose()
      }}
    >
      {(error) => (
        <>
          {data && banks.length === 0 && <Note>{t('acquirerDeposits.noBank')}</Note>}
          {banks.length > 0 && (
            <ChoiceField
              label={t('acquirerDeposits.bank')}
              as="list"
              value={bankAccountId}
              onChange={setBank}
              choices={banks}
              {...error('bankAccountId', bankAccountId)}
            />
          )}
          <MoneyField
            label={t('acquirerDeposits.fields.feeAgorot')}
            hint={t('acquirerDeposits.feeHint')}
            value={fee}
            onChange={(value) => {
              setFee(value)
              setVat(Math.round(((value ?? 0) * rate) / 10_000))
            }}
            {...error('feeAgorot', fee)}
          />
          <MoneyField
            label={t('acquirerDeposits.fields.feeVatAgorot')}
            value={vat}
            onChange={setVat}
            {...error('feeVatAgorot', vat)}
          />
          <TextField
            label={t('acquirerDeposits.invoiceNumber')}
            optional
            ltr
            value={number}
            onChange={setNumber}
            max={40}
            {...error('invoiceNumber', number)}
          />
          <p>
            {t('acquirerDeposits.whole')} <Money amount={netAgorot + (fee ?? 0) + (vat ?? 0)} />
          </p>
        </>
      )}
    </FormDialog>
  )
}
