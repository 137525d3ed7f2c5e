import { useId, useState, type FormEvent } from 'react'
import { dayInJerusalem, type Day } from '../../../../domain/day.ts'
import { call, failureText, fieldErrors } from '../../../../kit/web/call.ts'
import { ChoiceField } from '../../../../kit/web/fields/ChoiceField.tsx'
import { DayField } from '../../../../kit/web/fields/DayField.tsx'
import { MoneyField } from '../../../../kit/web/fields/NumberFields.tsx'
import { TextField } from '../../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../../kit/web/parts/Dialog.tsx'
import { go } from '../../../../kit/web/place.ts'
import { banner } from '../../../../kit/web/shell/banner.ts'
import { useWords } from '../../../../kit/web/words.tsx'
import { PayWarning } from '../../../suppliers/web/index.tsx'
import { cancelExpense, payExpense, rejectExpense, type ExpenseAnswer } from '../../endpoints.ts'
import { paidMeans } from '../../expenses.ts'
import { refreshExpenses } from '../deeds.ts'

interface DialogOf {
  expense: ExpenseAnswer
  onClose: () => void
}

/** One sentence of why, then the deed. */
function ReasonDialog({
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
  const form = useId()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const said = failure ? fieldErrors(t, failure, ['reason']) : undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await deed(reason)
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={title}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" form={form} busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {said?.rest && <Note tone="late">{said.rest}</Note>}
        <p className="hint">{text}</p>
        <TextField
          label={t('expenses.fields.reason')}
          name="reason"
          autoFocus
          max={200}
          value={reason}
          onChange={setReason}
          {...(said?.fields.reason ? { error: said.fields.reason } : {})}
        />
      </form>
    </Dialog>
  )
}

export function CancelDialog({ expense, onClose }: DialogOf) {
  const t = useWords()
  return (
    <ReasonDialog
      title={t('expenses.cancel.title')}
      text={t(expense.payments.some((one) => one.atOnce && !one.cancelled) ? 'expenses.cancel.textPaid' : 'expenses.cancel.text')}
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
    <ReasonDialog
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
  const form = useId()
  const today = dayInJerusalem(new Date())
  const [how, setHow] = useState<(typeof paidMeans)[number]>('bank')
  const [day, setDay] = useState<Day | null>(today)
  const [reference, setReference] = useState('')
  const [sum, setSum] = useState<number | null>(expense.openAgorot)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const said = failure ? fieldErrors(t, failure, ['amountAgorot', 'date', 'means', 'reference']) : undefined
  const error = (name: string) => (said?.fields[name] ? { error: said.fields[name] } : {})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
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
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t('expenses.pay.title')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('expenses.actions.pay')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {expense.supplierId && <PayWarning supplierId={expense.supplierId} />}
        {said?.rest && <Note tone="late">{said.rest || failureText(t, failure)}</Note>}
        <ChoiceField
          as="buttons"
          label={t('expenses.fields.means')}
          value={how}
          onChange={(next) => next && setHow(next)}
          choices={paidMeans.map((one) => ({ value: one, label: t(`expenses.means.${one}`) }))}
          {...error('means')}
        />
        <div className="ex-pair">
          <MoneyField label={t('expenses.pay.sum')} name="amountAgorot" value={sum} onChange={setSum} {...error('amountAgorot')} />
          <DayField label={t('expenses.form.paidDay')} name="date" value={day} max={today} onChange={setDay} {...error('date')} />
        </div>
        <TextField
          label={t('expenses.pay.reference')}
          name="reference"
          ltr
          optional
          max={40}
          value={reference}
          onChange={setReference}
          {...error('reference')}
        />
      </form>
    </Dialog>
  )
}
