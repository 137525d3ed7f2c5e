import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { PayWarning } from '#features/registers/suppliers/web/index.tsx'
import { cancelExpense, payExpense, rejectExpense, type ExpenseAnswer } from '../../endpoints.ts'
import { paidMeans } from '../../expenses.ts'
import { refreshExpenses } from '../actions.ts'

interface DialogOf {
  expense: ExpenseAnswer
  onClose: () => void
}

/** One sentence with the reason, then the action. */
function AskReason({
  title,
  text,
  verb,
  danger,
  onClose,
  deed,
}: {
  title: string
  text: string
  verb: string
  danger?: boolean
  onClose: () => void
  deed: (reason: string) => Promise<unknown>
}) {
  const t = useWords()
  return (
    <ReasonDialog
      title={title}
      verb={verb}
      {...(danger ? { danger } : {})}
      label={t('expenses.fields.reason')}
      max={200}
      oneLine
      onClose={onClose}
      onReason={(reason) => deed(reason)}
    >
      <p className="hint">{text}</p>
    </ReasonDialog>
  )
}

export function CancelDialog({ expense, onClose }: DialogOf) {
  const t = useWords()
  return (
    <AskReason
      title={t('expenses.cancel.title')}
      text={t(
        expense.payments.some((one) => one.atOnce && !one.cancelled)
          ? 'expenses.cancel.textPaid'
          : 'expenses.cancel.text',
      )}
      verb={t('expenses.actions.cancel')}
      danger
      onClose={onClose}
      deed={async (reason) => {
        await call(cancelExpense, { id: expense.id, reason })
        await refreshExpenses()
        onClose()
        banner.success(t('expenses.saved.cancelled'))
      }}
    />
  )
}

export function RejectDialog({ expense, onClose }: DialogOf) {
  const t = useWords()
  return (
    <AskReason
      title={t('expenses.reject.title')}
      text={t('expenses.reject.text')}
      verb={t('expenses.actions.reject')}
      onClose={onClose}
      deed={async (reason) => {
        await call(rejectExpense, { id: expense.id, reason })
        await refreshExpenses()
        onClose()
        banner.success(t('expenses.saved.rejected'))
        go('/invoice/Expenses')
      }}
    />
  )
}

/** What was paid for this bill: all that is open, or a part. */
export function PayDialog({ expense, onClose }: DialogOf) {
  const t = useWords()
  const today = useToday()
  const [how, setHow] = useState<(typeof paidMeans)[number]>('bank')
  const [day, setDay] = useState<Day | null>(today)
  const [reference, setReference] = useState('')
  const [sum, setSum] = useState<number | null>(expense.openAgorot)
  const submit = async () => {
    await call(payExpense, {
      id: expense.id,
      means: how,
      ...(day ? { date: day } : {}),
      reference,
      ...(sum === null ? {} : { amountAgorot: sum }),
    })
    await refreshExpenses()
    onClose()
    banner.success(t('expenses.saved.paid'))
  }
  return (
    <FormDialog
      title={t('expenses.pay.title')}
      verb={t('expenses.actions.pay')}
      names={['amountAgorot', 'date', 'means', 'reference']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(error) => (
        <>
          {expense.supplierId && <PayWarning supplierId={expense.supplierId} />}
          <ChoiceField
            as="buttons"
            label={t('expenses.fields.means')}
            value={how}
            onChange={(next) => next && setHow(next)}
            choices={paidMeans.map((one) => ({ value: one, label: t(`expenses.means.${one}`) }))}
            {...error('means', how)}
          />
          <div className="ex-pair">
            <MoneyField
              label={t('expenses.pay.sum')}
              name="amountAgorot"
              value={sum}
              onChange={setSum}
              {...error('amountAgorot', sum)}
            />
            <DayField
              label={t('expenses.form.paidDay')}
              name="date"
              value={day}
              max={today}
              onChange={setDay}
              {...error('date', day)}
            />
          </div>
          <TextField
            label={t('expenses.pay.reference')}
            name="reference"
            ltr
            optional
            max={40}
            value={reference}
            onChange={setReference}
            {...error('reference', reference)}
          />
        </>
      )}
    </FormDialog>
  )
}
