import { NotebookPen } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { dayInJerusalem, type Day } from '../../../../domain/day.ts'
import { chargesVat, paymentMeans, type PaymentMeans } from '../../../../domain/documents/kinds.ts'
import { canDocument } from '../../../../kit/describe/session.ts'
import { call, failureText, fieldErrors, useCall } from '../../../../kit/web/call.ts'
import { ChoiceField } from '../../../../kit/web/fields/ChoiceField.tsx'
import type { Option } from '../../../../kit/web/fields/Combo.tsx'
import { DayField } from '../../../../kit/web/fields/DayField.tsx'
import { MoneyField, WholeField } from '../../../../kit/web/fields/NumberFields.tsx'
import { RefField } from '../../../../kit/web/fields/RefField.tsx'
import { Note } from '../../../../kit/web/parts/Banner.tsx'
import { Button } from '../../../../kit/web/parts/Button.tsx'
import { toast } from '../../../../kit/web/parts/notices.ts'
import { PageHeader } from '../../../../kit/web/parts/PageHeader.tsx'
import { ListScreen } from '../../../../kit/web/screens/ListScreen.tsx'
import { callsOf } from '../../../../kit/web/screens/resources.ts'
import { useCan, useSession } from '../../../../kit/web/session.ts'
import { useWords } from '../../../../kit/web/words.tsx'
import { getCompany, type Company } from '../../../companies/endpoints.ts'
import { customers } from '../../../parties/customers.ts'
import { documents } from '../../documents.ts'
import { createDocument } from '../../endpoints.ts'
import { begins, typeId } from '../../types/index.ts'
import { rateFor } from '../../workOut.ts'
import { newKey, refreshDocuments } from '../deeds.tsx'
import '../documents.css'
import '../list/dress.tsx'
import { documentName, typeWord } from '../words.ts'
import { handInput, isTooMuchVat, takesLines, takesPayments, usualVat } from './input.ts'

const fixed = { byHand: 'true' }
const kind = { key: 'byHand', columns: ['number', 'day', 'customerId', 'netAgorot', 'vatAgorot', 'totalAgorot', 'status'] }

/** Papers once written by hand, keyed in with their own numbers so that books and reports are whole. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const company = useCall(getCompany, {})
  const types = company.data
    ? begins(company.data.kind, 'sales')
        .map((type) => typeId(type.name))
        .filter((id) => canDocument(session, id))
    : []
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('documents.title'), href: '/invoice/documents' }]}
        title={t('screens.paperBook')}
        sub={t('documents.byHand.text')}
      />
      <div className="grid gap-5">
        {company.data && types.length > 0 && may('documents.issue') && <Entry company={company.data} types={types} />}
        <ListScreen embedded resource={documents} fixed={fixed} kind={kind} />
      </div>
    </>
  )
}

const means = Object.keys(paymentMeans) as PaymentMeans[]

/** One paper in a row of fields; Enter in the last of them keeps it and begins the next number. */
function Entry({ company, types }: { company: Company; types: readonly number[] }) {
  const t = useWords()
  const [type, setType] = useState(types[0]!)
  const [number, setNumber] = useState<number | null>(null)
  const [day, setDay] = useState<Day>(dayInJerusalem(new Date()))
  const [customer, setCustomer] = useState<Option | null>(null)
  const [net, setNet] = useState<number | null>(null)
  // Null: the VAT of the rate.
  const [vat, setVat] = useState<number | null>(null)
  const [paidBy, setPaidBy] = useState<PaymentMeans>('cash')
  const [said, setSaid] = useState<Record<string, string | undefined>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const customerBox = useRef<HTMLInputElement>(null)
  const attempt = useRef<string>(undefined)
  const rateBp = rateFor(company.kind, day)
  const hasVat = chargesVat(company.kind) && takesLines(type)
  const vatNow = hasVat ? (vat ?? (net === null ? null : usualVat(net, rateBp))) : 0
  const changed =
    <T,>(name: string, set: (value: T) => void) =>
    (value: T) => {
      set(value)
      attempt.current = undefined
      setSaid((before) => ({ ...before, [name]: undefined }))
      setProblem(undefined)
    }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const need = t('errors.fields.need')
    const wrong: Record<string, string> = {
      ...(number === null || number < 1 ? { handNumber: need } : {}),
      ...(customer === null ? { customerId: need } : {}),
      ...(net === null || net <= 0 ? { net: need } : {}),
      ...(hasVat && net !== null && isTooMuchVat({ netAgorot: net, vatAgorot: vatNow ?? 0 }, rateBp)
        ? { vat: t('documents.byHand.vatTooMuch') }
        : {}),
    }
    setSaid(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    setProblem(undefined)
    try {
      attempt.current ??= newKey()
      const made = await call(
        createDocument,
        {
          ...handInput(
            { type, number: number!, day, customerId: customer!.key, netAgorot: net!, vatAgorot: vatNow ?? 0, means: paidBy },
            rateBp,
            t('documents.byHand.line'),
          ),
          draft: false,
        },
        { idempotencyKey: attempt.current },
      )
      attempt.current = undefined
      void refreshDocuments()
      toast(t('documents.byHand.kept', { name: documentName(t, made.type, made.number) }))
      setNumber(number! + 1)
      setCustomer(null)
      setNet(null)
      setVat(null)
      setTimeout(() => customerBox.current?.focus())
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['handNumber', 'date', 'customerId'])
      setSaid(fields)
      setProblem(rest ?? (Object.keys(fields).length > 0 ? undefined : failureText(t, e)))
    }
    setBusy(false)
  }
  return (
    <form className="k-card doc-hand" onSubmit={(event) => void save(event)} noValidate aria-label={t('documents.byHand.entry')}>
      {problem && (
        <div role="alert" className="wide">
          <Note tone="late">{problem}</Note>
        </div>
      )}
      <ChoiceField
        as="list"
        label={t('documents.fields.type')}
        value={String(type)}
        onChange={changed('type', (next: string | null) => next && setType(Number(next)))}
        choices={types.map((id) => ({ value: String(id), label: typeWord(t, id) }))}
      />
      <WholeField
        label={t('documents.byHand.number')}
        name="handNumber"
        value={number}
        onChange={changed('handNumber', setNumber)}
        error={said.handNumber}
        autoFocus
      />
      <DayField
        label={t('documents.fields.day')}
        name="date"
        value={day}
        onChange={changed('date', (next: Day | null) => next && setDay(next))}
        error={said.date}
      />
      <RefField
        label={t('documents.fields.customerId')}
        name="customer"
        value={customer}
        inputRef={customerBox}
        onChange={changed('customerId', setCustomer)}
        error={said.customerId}
        search={async (query, signal) => {
          const { rows } = await call(callsOf(customers).list, { size: 10, q: query || undefined }, { signal })
          return rows.map((row) => ({ key: row.id, label: String(row.name) }))
        }}
      />
      <MoneyField
        label={t(hasVat ? 'documents.fields.netAgorot' : 'documents.editor.sum')}
        name="net"
        value={net}
        onChange={changed('net', setNet)}
        error={said.net}
      />
      {hasVat && (
        <MoneyField label={t('documents.fields.vatAgorot')} name="vat" value={vatNow} onChange={changed('vat', setVat)} error={said.vat} />
      )}
      {takesPayments(type) && (
        <ChoiceField
          as="list"
          label={t('documents.byHand.means')}
          value={paidBy}
          onChange={(next) => next && setPaidBy(next)}
          choices={means.map((value) => ({ value, label: t(`documents.means.${value}`) }))}
        />
      )}
      <Button type="submit" kind="primary" icon={NotebookPen} busy={busy}>
        {t('documents.byHand.keep')}
      </Button>
    </form>
  )
}
