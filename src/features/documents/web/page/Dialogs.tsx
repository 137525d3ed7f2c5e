import { useId, useState, type FormEvent } from 'react'
import { call, failureText, fieldErrors, useCall } from '../../../../kit/web/call.ts'
import { EmailField } from '../../../../kit/web/fields/ContactFields.tsx'
import { FlagField } from '../../../../kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '../../../../kit/web/fields/TextField.tsx'
import { Note } from '../../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../../kit/web/parts/Button.tsx'
import { Dialog } from '../../../../kit/web/parts/Dialog.tsx'
import { Money } from '../../../../kit/web/parts/Figure.tsx'
import { go } from '../../../../kit/web/place.ts'
import { callsOf } from '../../../../kit/web/screens/resources.ts'
import { banner } from '../../../../kit/web/shell/banner.ts'
import { useWords } from '../../../../kit/web/words.tsx'
import { getCompany } from '../../../companies/endpoints.ts'
import { customerContacts } from '../../../parties/people.ts'
import { cancelDocument, sendDocument, type DocumentAnswer } from '../../endpoints.ts'
import { pagePath, typeById } from '../../types/index.ts'
import { refreshDocuments } from '../deeds.tsx'
import { documentName, typeWord } from '../words.ts'
import { fillText, valuesOf } from './plainText.ts'

export interface DialogOf {
  document: DocumentAnswer
  onClose: () => void
}

/** By mail: to whom, in which words, with the file or with the link alone. */
export function SendDialog({ document, onClose }: DialogOf) {
  const company = useCall(getCompany, {})
  const customerId = document.customerId
  // The one who gets invoices, where the customer has such; whoever may not see customers writes to the address on the document.
  const people = useCall(
    callsOf(customerContacts).list,
    { partyId: customerId ?? '', getsInvoices: 'true', size: 10 },
    { enabled: customerId !== null },
  )
  const invoicesTo = people.data?.rows.map((row) => row.email as string | null).find(Boolean)
  // The texts of the settings are in the business's language; a customer of another language gets ready ones.
  return company.data && (customerId === null || people.isFetched) ? (
    <SendForm
      to={invoicesTo ?? document.customer?.email ?? ''}
      document={document}
      onClose={onClose}
      own={company.data.language === document.language}
      company={company.data}
    />
  ) : null
}

function SendForm({
  document,
  onClose,
  own,
  company,
  to: first,
}: DialogOf & {
  to: string
  own: boolean
  company: { name: string; mailSubject: string; mailText: string; language: DocumentAnswer['language'] }
}) {
  const t = useWords()
  const form = useId()
  const values = valuesOf(document, typeWord(t, document.type), company.name, document.language)
  const [to, setTo] = useState(first)
  const [subject, setSubject] = useState(() => (own ? fillText(company.mailSubject || '', values) : ''))
  const [text, setText] = useState(() => (own ? fillText(company.mailText || '', values) : ''))
  const [attach, setAttach] = useState(true)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['to', 'subject', 'text'])
    : { fields: {} as Record<string, string>, rest: undefined }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await call(sendDocument, { id: document.id, to, ...(subject.trim() ? { subject } : {}), ...(text.trim() ? { text } : {}), attach })
      void refreshDocuments()
      onClose()
      banner.success(t('documents.page.sent', { to }))
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
      title={t('documents.page.sendTitle', { name: documentName(t, document.type, document.number) })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('documents.page.send')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void send(event)} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <EmailField label={t('documents.page.to')} value={to} onChange={setTo} error={fields.to} autoFocus={to === ''} />
        <TextField
          label={t('documents.page.mailSubject')}
          optional={!own}
          placeholder={own ? undefined : t('documents.page.readyWords')}
          value={subject}
          onChange={setSubject}
          error={fields.subject}
          max={200}
        />
        <LongText
          label={t('documents.page.mailText')}
          optional={!own}
          placeholder={own ? undefined : t('documents.page.readyWords')}
          rows={6}
          value={text}
          onChange={setText}
          error={fields.text}
          max={4000}
        />
        <FlagField
          label={t('documents.page.attach')}
          value={attach}
          onChange={setAttach}
          hint={attach ? undefined : t('documents.page.linkOnly')}
        />
      </form>
    </Dialog>
  )
}

/** What cancelling will do: credit the whole, turn the money back, both, or only mark. */
const wayOf = (document: DocumentAnswer): 'credit' | 'both' | 'money' | 'mark' => {
  const type = typeById(document.type)
  if (type?.cancelledBy) return document.payments.length > 0 ? 'both' : 'credit'
  return type?.cancelledByItself ? 'money' : 'mark'
}

/** The consequence with its sum, a reason, and no way back. */
export function CancelDialog({ document, onClose }: DialogOf) {
  const t = useWords()
  const form = useId()
  const [reason, setReason] = useState('')
  const [said, setSaid] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = documentName(t, document.type, document.number)
  const way = wayOf(document)
  const cancel = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setSaid(t('documents.page.reasonNeeded'))
    setBusy(true)
    setProblem(undefined)
    try {
      const credit = await call(cancelDocument, { id: document.id, reason: reason.trim() })
      void refreshDocuments()
      onClose()
      go(pagePath(credit.type, credit.id))
      banner.success(
        credit.id === document.id
          ? t('documents.page.marked', { name })
          : t('documents.page.cancelled', { name, credit: documentName(t, credit.type, credit.number) }),
        10_000,
      )
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['reason'])
      setSaid(fields.reason)
      setProblem(rest ?? (fields.reason ? undefined : failureText(t, e)))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      role="alertdialog"
      form
      title={t('documents.page.cancelAsk', { name })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="danger" type="submit" form={form} busy={busy}>
            {t(way === 'credit' ? 'documents.page.cancelDo' : 'documents.page.cancel')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void cancel(event)} noValidate>
        <p className="sub">
          {t(way === 'credit' ? 'documents.page.cancelText' : `documents.cancel.${way}`)}{' '}
          {way !== 'mark' && (document.totals.totalAgorot as number | null) !== null && (
            <b className="text-ink font-medium">
              <Money amount={document.totals.totalAgorot} currency={document.currency} />
            </b>
          )}
          <br />
          {t(
            way === 'credit'
              ? 'documents.page.cancelForGood'
              : way === 'mark'
                ? 'documents.cancel.markForGood'
                : 'documents.cancel.forGood',
          )}
        </p>
        {problem && <Note tone="late">{problem}</Note>}
        <TextField
          label={t('documents.page.reason')}
          hint={way === 'mark' ? undefined : t('documents.page.reasonHint')}
          autoFocus
          value={reason}
          onChange={(next) => {
            setReason(next)
            setSaid(undefined)
          }}
          error={said}
          max={300}
        />
      </form>
    </Dialog>
  )
}
