import { NotebookPen } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { statusesThat } from '#domain/documents/facts.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { canDocument } from '#kit/describe/session.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { getCompany, type Company } from '#features/base/companies/endpoints.ts'
import { customers, type Customer } from '#features/registers/parties/customers.ts'
import { documents, type DocumentRow } from '../../documents.ts'
import { createDocument, creditDocument } from '../../endpoints.ts'
import { begins, isIncomeItself, mayBegin, typeById, typeId } from '../../types/index.ts'
import { rateFor } from '../../workOut.ts'
import { newKey, refreshDocuments } from '../page/actions.tsx'
import '../documents.css'
import { Closes, useFollowedCloses, useOpenItems } from '../editor/Closes.tsx'
import {
  change,
  customerOf,
  inputOf,
  newDocument,
  refusalsOf,
  type Change,
  type Refusals,
} from '../editor/model.ts'
import { askedBy, followedOpen, sentPayments } from '../editor/money.ts'
import { Payments } from '../editor/Payments.tsx'
import '../list/dress.tsx'
import { documentNoun } from '../nouns.ts'
import { documentName, typeWord } from '../words.ts'
import { handLines, isTooMuchVat, takesCloses, takesLines, takesPayments, usualVat } from './input.ts'

const creditId = typeId('creditInvoice')
const takesCredits = (kind: Company['kind'], may: (rule: string) => boolean) =>
  chargesVat(kind) && may('documents.cancel')

const fixed = { byHand: 'true' }
const kind = {
  key: 'byHand',
  columns: ['number', 'day', 'customerId', 'netAgorot', 'vatAgorot', 'totalAgorot', 'status'],
}

/** Papers once written by hand, keyed in with their own numbers so that books and reports are whole. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const company = useCall(getCompany, {})
  const types = company.data
    ? [
        ...begins(company.data.kind, 'sales')
          .filter((type) => mayBegin(session, type))
          .map((type) => typeId(type.name)),
        ...(takesCredits(company.data.kind, may) ? [creditId] : []),
      ].filter((id) => canDocument(session, id))
    : []
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('documents.title'), href: '/invoice/documents' }]}
        title={t('screens.paperBook')}
        sub={t('documents.byHand.text')}
      />
      <div className="grid gap-5">
        {company.data && types.length > 0 && may('documents.issue') && (
          <Entry company={company.data} types={types} />
        )}
        <ListScreen
          embedded
          resource={documents}
          fixed={fixed}
          kind={kind}
          empty={{ title: t('documents.byHand.emptyTitle'), text: t('documents.byHand.emptyText') }}
        />
      </div>
    </>
  )
}

const none: Refusals = { fields: {}, lines: {}, payments: {} }

/** One paper of the book; Enter in the last of the plain fields keeps it and begins the next number. */
function Entry({ company, types }: { company: Company; types: readonly number[] }) {
  const t = useWords()
  const [edited, setEdited] = useState(() => newDocument(types[0]!))
  const [net, setNet] = useState<number | null>(null)
  // Null: the VAT of the rate.
  const [vat, setVat] = useState<number | null>(null)
  // Of a credit: the invoice it credits, the sum with VAT and why.
  const [invoice, setInvoice] = useState<Option | null>(null)
  const [credited, setCredited] = useState<number | null>(null)
  // Null: divided as on the invoice.
  const [creditedVat, setCreditedVat] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [said, setSaid] = useState<Record<string, string | undefined>>({})
  const [refusals, setRefusals] = useState(none)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const customerBox = useRef<HTMLInputElement>(null)
  const attempt = useRef<string>(undefined)
  const found = useRef(new Map<string, Customer>())
  const { type, customer, handNumber: number, date: day } = edited
  const isCredit = type === creditId
  const isSale = takesLines(type) && !isCredit
  const rateBp = rateFor(company.kind, day)
  const hasVat = chargesVat(company.kind) && isSale
  const vatNow = hasVat ? (vat ?? (net === null ? null : usualVat(net, rateBp))) : 0
  const items = useOpenItems(edited, takesCloses(type))
  const asked = askedBy(edited.closes, items ?? [], edited.currency)
  const open = isSale || !items ? undefined : followedOpen(edited, items)
  const target = isSale ? (net ?? 0) + (vatNow ?? 0) : asked || undefined
  const touched = (name?: string) => {
    attempt.current = undefined
    setProblem(undefined)
    setRefusals(none)
    if (name) setSaid((before) => ({ ...before, [name]: undefined }))
  }
  const changed =
    <T,>(name: string, set: (value: T) => void) =>
    (value: T) => {
      set(value)
      touched(name)
    }
  const write = (what: Change) => {
    setEdited((before) => change(before, what))
    touched()
  }
  const put = (next: Extract<Change, { do: 'put' }>['change']) => write({ do: 'put', change: next })
  useFollowedCloses(edited, items, takesCloses(type), put)
  const chooseCustomer = (option: Option | null) => {
    const row = option ? found.current.get(option.key) : undefined
    put({ customer: row ? customerOf(row) : null, closes: [], closesFollow: [] })
    setInvoice(null)
    setSaid((before) => ({ ...before, customerId: undefined, sourceId: undefined }))
  }
  const begin = () => {
    setEdited({ ...newDocument(type), date: day, handNumber: (number ?? 0) + 1 })
    setNet(null)
    setVat(null)
    setInvoice(null)
    setCredited(null)
    setCreditedVat(null)
    setReason('')
    setTimeout(() => customerBox.current?.focus())
  }
  const keep = async () => {
    const idempotencyKey = (attempt.current ??= newKey())
    if (isCredit)
      return call(
        creditDocument,
        {
          id: invoice!.key,
          reason: reason.trim(),
          date: day,
          agorot: credited!,
          vatAgorot: creditedVat ?? undefined,
          handNumber: number!,
        },
        { idempotencyKey },
      )
    const lines = isSale
      ? handLines({ netAgorot: net!, vatAgorot: vatNow ?? 0 }, rateBp, t('documents.byHand.line'))
      : []
    return call(
      createDocument,
      { ...inputOf(edited), rounding: 'none', lines, draft: false },
      { idempotencyKey },
    )
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const need = t('errors.fields.need')
    const wrong: Record<string, string> = {
      ...(number === null || number < 1 ? { handNumber: need } : {}),
      ...(customer === null ? { customerId: need } : {}),
      ...(isSale && (net === null || net <= 0) ? { net: need } : {}),
      ...(hasVat && net !== null && isTooMuchVat({ netAgorot: net, vatAgorot: vatNow ?? 0 }, rateBp)
        ? { vat: t('documents.byHand.vatTooMuch') }
        : {}),
      ...(isCredit && invoice === null ? { sourceId: need } : {}),
      ...(isCredit && (credited === null || credited <= 0)
        ? { agorot: t('documents.credit.sumNeeded') }
        : {}),
      ...(isCredit && reason.trim() === '' ? { reason: t('documents.credit.reasonNeeded') } : {}),
    }
    setSaid(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await keep()
      attempt.current = undefined
      void refreshDocuments()
      toast(t('documents.byHand.kept', { name: documentNoun(t, made.type, made.number) }))
      begin()
    } catch (e) {
      const next = refusalsOf(e instanceof CallFailure ? e.errors : [], [], sentPayments(edited.payments))
      const shown = [
        'handNumber',
        'date',
        'customerId',
        'reason',
        'agorot',
        'vatAgorot',
        'payments',
        'closes',
      ]
      setRefusals(next)
      setSaid(
        Object.fromEntries(
          Object.entries(next.fields).map(([name, { code, params }]) => [name, t(`errors.${code}`, params)]),
        ),
      )
      const rest = Object.entries(next.fields).find(([name]) => !shown.includes(name))?.[1]
      const isSaid = Object.keys(next.fields).length > 0 || Object.keys(next.payments).length > 0
      setProblem(rest ? t(`errors.${rest.code}`, rest.params) : isSaid ? undefined : failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <form
      className="k-card doc-hand"
      onSubmit={(event) => void save(event)}
      noValidate
      aria-label={t('documents.byHand.entry')}
    >
      {problem && (
        <div className="wide">
          <Note tone="late">{problem}</Note>
        </div>
      )}
      <ChoiceField
        as="list"
        label={t('documents.fields.type')}
        value={String(type)}
        onChange={(next) => next && put({ type: Number(next), payments: [], closes: [], closesFollow: [] })}
        choices={types.map((id) => ({ value: String(id), label: typeWord(t, id) }))}
      />
      <WholeField
        label={t('documents.byHand.number')}
        name="handNumber"
        value={number}
        onChange={(handNumber) => {
          put({ handNumber })
          touched('handNumber')
        }}
        error={said.handNumber}
        autoFocus
      />
      <DayField
        label={t('documents.fields.day')}
        name="date"
        value={day}
        onChange={(date) => {
          if (date) put({ date })
          touched('date')
        }}
        error={said.date}
      />
      <RefField
        label={t('documents.fields.customerId')}
        name="customer"
        value={customer && { key: customer.id, label: customer.name }}
        inputRef={customerBox}
        onChange={chooseCustomer}
        error={said.customerId}
        search={async (query, signal) => {
          const { rows } = await call(
            callsOf(customers).list,
            { size: 10, q: query || undefined },
            { signal },
          )
          for (const row of rows) found.current.set(row.id, row as unknown as Customer)
          return rows.map((row) => ({ key: row.id, label: String(row.name) }))
        }}
      />
      {isCredit && customer && (
        <RefField
          key={customer.id}
          label={t('documents.byHand.invoice')}
          name="invoice"
          value={invoice}
          onChange={changed('sourceId', (option: Option | null) => setInvoice(option as Option | null))}
          error={said.sourceId}
          search={(query, signal) => invoicesOf(t, customer.id, query, signal)}
        />
      )}
      {isCredit && (
        <>
          <MoneyField
            label={t('documents.credit.agorot')}
            name="agorot"
            value={credited}
            onChange={changed('agorot', setCredited)}
            error={said.agorot}
          />
          {chargesVat(company.kind) && (
            <MoneyField
              label={t('documents.fields.vatAgorot')}
              hint={t('documents.byHand.creditVatHint')}
              name="vatAgorot"
              value={creditedVat}
              onChange={changed('vatAgorot', setCreditedVat)}
              error={said.vatAgorot}
            />
          )}
          <TextField
            label={t('documents.page.reason')}
            name="reason"
            value={reason}
            onChange={changed('reason', setReason)}
            error={said.reason}
            max={300}
          />
        </>
      )}
      {isSale && (
        <MoneyField
          label={t(hasVat ? 'documents.fields.netAgorot' : 'documents.editor.sum')}
          name="net"
          value={net}
          onChange={changed('net', setNet)}
          error={said.net}
        />
      )}
      {hasVat && (
        <MoneyField
          label={t('documents.fields.vatAgorot')}
          name="vat"
          value={vatNow}
          onChange={changed('vat', setVat)}
          error={said.vat}
        />
      )}
      {takesCloses(type) && customer && (
        <div className="wide">
          <Closes
            edited={edited}
            isIncome={isIncomeItself(typeById(type)!, company.kind)}
            items={items}
            put={put}
            refusals={refusals.fields}
          />
        </div>
      )}
      {takesPayments(type) && (
        <div className="wide">
          <Payments
            edited={edited}
            dispatch={write}
            put={put}
            refusals={refusals}
            target={target}
            open={open}
            base={open ?? target ?? 0}
          />
        </div>
      )}
      <Button type="submit" kind="primary" icon={NotebookPen} busy={busy}>
        {t('documents.byHand.keep')}
      </Button>
    </form>
  )
}

/** The invoices of a customer that a credit may still name. */
async function invoicesOf(
  t: Words,
  customerId: string,
  query: string,
  signal: AbortSignal,
): Promise<Option[]> {
  const { rows } = await call(
    callsOf(documents).list,
    {
      size: 20,
      q: query || undefined,
      customerId,
      'type.in': '8,9',
      'status.in': statusesThat('isLive').join(','),
    },
    { signal },
  )
  return (rows as unknown as DocumentRow[]).map((row) => ({
    key: row.id,
    label: documentName(t, row.type, row.number),
    hint: [formatDay(row.day), row.totalAgorot === null ? '' : formatMoney(row.totalAgorot)]
      .filter(Boolean)
      .join(' · '),
  }))
}
