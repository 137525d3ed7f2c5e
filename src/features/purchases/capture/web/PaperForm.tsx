import { ArchiveRestore } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import { Link } from 'react-aria-components/Link'
import { vatRateOn } from '#domain/vat/rates.ts'
import { includedRate } from '#domain/money.ts'
import { isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { formatDay } from '#domain/format.ts'
import { readFigure } from '#domain/papers/figures.ts'
import { readDay } from '#domain/papers/days.ts'
import { partsByRate } from '#domain/papers/breakdown.ts'
import { documentKinds, type PaperKind, type Spot } from '#domain/papers/proposal.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { call, CallFailure, fieldErrors, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  checkExpense,
  expenseFacts,
  supplierNames,
  type ExpenseInput,
  type ExpenseWarning,
} from '#features/purchases/expenses/endpoints.ts'
import { means as meansNames } from '#features/purchases/expenses/expenses.ts'
import { filePaper, type PaperAnswer, type ProposalAnswer } from '../endpoints.ts'

export interface FormHandle {
  /** Puts a word of the paper into the field that was typed into last. */
  take: (text: string, spot: Spot, more: boolean) => void
  file: () => void
}

interface Values {
  supplier: Option | null
  taxId: string
  kind: PaperKind | null
  number: string
  day: string | null
  dueDay: string | null
  allocation: string
  net: number | null
  vat: number | null
  total: number | null
  rate: string | null
  typeId: string | null
  means: (typeof meansNames)[number] | null
  details: string
}
type Name = keyof Values

/** The value of the reading for each field. */
const guessOf: Partial<Record<Name, keyof ProposalAnswer>> = {
  supplier: 'supplierName',
  taxId: 'supplierTaxId',
  kind: 'documentKind',
  number: 'number',
  day: 'day',
  dueDay: 'dueDay',
  allocation: 'allocationNumber',
  net: 'netAgorot',
  vat: 'vatAgorot',
  total: 'totalAgorot',
}
/** Only places of these are worth remembering: the others are found by their form. */
const remembered: readonly Name[] = ['number', 'day', 'dueDay', 'net', 'vat', 'total']
const newKey = 'new'

const startOf = (paper: PaperAnswer): Values => {
  const { proposal, supplier, usual } = paper
  const name = proposal.supplierName?.value
  return {
    supplier: supplier
      ? { key: supplier.id, label: supplier.name }
      : name
        ? { key: newKey, label: name }
        : null,
    taxId: proposal.supplierTaxId?.value ?? '',
    kind: proposal.documentKind?.value ?? null,
    number: proposal.number?.value ?? '',
    day: proposal.day?.value ?? null,
    dueDay: proposal.dueDay?.value ?? null,
    allocation: proposal.allocationNumber?.value ?? '',
    net: proposal.netAgorot?.value ?? null,
    vat: proposal.vatAgorot?.value ?? null,
    total: proposal.totalAgorot?.value ?? null,
    rate: null,
    typeId: usual.typeId,
    means: meansNames.find((one) => one === usual.means) ?? 'onCredit',
    details: '',
  }
}

/**
 * The form of the expense: filled with what was read and its certainty; a press on the picture fills the focused
 * field.
 */
export function PaperForm({
  paper,
  onLit,
  onActive,
  onFiled,
  ref,
}: {
  paper: PaperAnswer
  onLit: (spots: readonly Spot[]) => void
  onActive: (takes: boolean) => void
  onFiled: (expenseId: string, nextId: string | null, state: string) => void
  ref: Ref<FormHandle>
}) {
  const today = useToday()
  const t = useWords()
  const say = useFailureText()
  const [values, setValues] = useState(() => startOf(paper))
  const [touched, setTouched] = useState<ReadonlySet<Name>>(new Set())
  const [active, setActive] = useState<Name>()
  const [spots, setSpots] = useState<Partial<Record<Name, Spot>>>({})
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [confirmed, setConfirmed] = useState(false)
  const { data: facts } = useCall(expenseFacts, {})
  const isForeign = (paper.currency || 'ILS') !== 'ILS'

  const set = (change: Partial<Values>) => {
    setValues((now) => ({ ...now, ...change }))
    setTouched((now) => new Set([...now, ...(Object.keys(change) as Name[])]))
    setFailure(undefined)
  }
  /** Total, VAT and net stay consistent: what is typed is kept, the rest follows. */
  const setSum = (name: 'net' | 'vat' | 'total', sum: number | null) => {
    const { net, vat, total } = values
    if (sum === null) return set({ [name]: null })
    if (name === 'net') return set({ net: sum, total: sum + (vat ?? 0), ...(vat === null ? { vat: 0 } : {}) })
    if (name === 'vat')
      return set({
        vat: sum,
        ...(total !== null ? { net: total - sum } : net !== null ? { total: net + sum } : {}),
      })
    // The share of VAT stays as it was: none stays none.
    const hadVat = vat === null ? paper.usual.claimsVat : vat !== 0
    const share = hadVat ? includedRate(sum, vatRateOn(values.day ?? today)) : 0
    return set({ total: sum, vat: share, net: sum - share })
  }

  const spotsOf = (name: Name): readonly Spot[] => {
    const own = spots[name]
    if (own) return [own]
    const guess = guessOf[name]
    return (guess && paper.proposal[guess]?.spots) || []
  }
  const point = (name: Name | undefined) => onLit(name ? spotsOf(name) : [])
  const focus = (name: Name) => () => {
    setActive(name)
    onActive(true)
    point(name)
  }

  const take: FormHandle['take'] = (text, spot, more) => {
    if (!active) return
    const done = (change: Partial<Values>) => {
      set(change)
      setSpots((now) => ({ ...now, [active]: spot }))
      onLit([spot])
    }
    const joined = (before: string) => (more && before ? `${before} ${text}` : text)
    if (active === 'net' || active === 'vat' || active === 'total') {
      const figure = readFigure(text)
      if (!figure) return
      setSum(active, figure.agorot)
      setSpots((now) => ({ ...now, [active]: spot }))
      onLit([spot])
    } else if (active === 'day' || active === 'dueDay') {
      const day = readDay(text)
      if (day) done({ [active]: day })
    } else if (active === 'supplier')
      done({ supplier: { key: newKey, label: joined(more ? (values.supplier?.label ?? '') : '') } })
    else if (active === 'taxId' || active === 'allocation') {
      const digits = text.replace(/\D/g, '')
      if (digits) done({ [active]: digits })
    } else if (active === 'number') done({ number: text.replace(/^[#:]+|[.,:]+$/g, '') })
    else if (active === 'details') done({ details: joined(values.details) })
  }

  /**
   * An electronic invoice with several rates is booked rate by rate; once a sum was changed by hand, it
   * counts as one.
   */
  const linesFor = ({
    typeId,
    net,
    vat,
    sign,
  }: {
    typeId: string
    net: number
    vat: number
    sign: 1 | -1
  }): ExpenseInput['lines'] =>
    (partsByRate(paper.lines, { net, vat }) ?? [{ netAgorot: net, vatAgorot: vat, description: '' }]).map(
      (part) => ({
        typeId,
        // As the rule says, while its kind of expense is chosen.
        ...(paper.usual.rule && typeId === paper.usual.typeId
          ? {
              ...(paper.usual.vatShare ? { vatShare: paper.usual.vatShare } : {}),
              projectId: paper.usual.projectId,
            }
          : {}),
        netAgorot: part.netAgorot * sign,
        vatAgorot: part.vatAgorot * sign,
        ...(part.description ? { details: part.description.slice(0, 200) } : {}),
      }),
    )

  const expense = (): ExpenseInput | undefined => {
    const { supplier, typeId, net, vat, total, day } = values
    if (typeId === null || total === null || !day) return undefined
    const sign = values.kind === 'credit' ? -1 : 1
    const taxId = normaliseTaxId(values.taxId)
    return {
      ...(supplier && supplier.key !== newKey
        ? { supplierId: supplier.key }
        : supplier
          ? { supplier: { name: supplier.label, ...(values.taxId && taxId ? { taxId } : {}) } }
          : {}),
      supplierNumber: values.number,
      paper: values.kind === 'receipt' || values.kind === 'request' ? 'receipt' : 'taxInvoice',
      ...(values.kind === 'request' ? { claimsVat: false } : {}),
      date: day,
      dueDate: values.dueDay,
      allocationNumber: values.allocation,
      details: values.details,
      currency: paper.currency || 'ILS',
      ...(isForeign && values.rate ? { rate: values.rate } : {}),
      lines: linesFor({ typeId, net: net ?? total - (vat ?? 0), vat: vat ?? 0, sign }),
      means: values.means ?? 'onCredit',
      ...(values.means && values.means !== 'onCredit' ? { paidDate: day } : {}),
    }
  }
  const missing = {
    supplier: values.supplier ? undefined : t('papers.need.supplier'),
    taxId: values.taxId && !isTaxId(values.taxId) ? t('errors.fields.taxId') : undefined,
    day: values.day ? undefined : t('papers.need.day'),
    total: values.total === null ? t('papers.need.total') : undefined,
    // Not found is not zero: a tax invoice shows its VAT.
    vat:
      values.vat === null && paper.usual.claimsVat && !isForeign && kindsWithVat.has(values.kind ?? '')
        ? t('papers.need.vat')
        : undefined,
    typeId: values.typeId ? undefined : t('papers.need.type'),
    rate: isForeign && !values.rate ? t('papers.need.rate') : undefined,
  }
  const file = async () => {
    setTried(true)
    const input = expense()
    if (!input || Object.values(missing).some(Boolean)) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    setBusy(true)
    try {
      // Also those that were read correctly and kept: the next bill of this supplier relies on them.
      const kept = Object.fromEntries(
        remembered.flatMap((name) => (spotsOf(name)[0] ? [[name, spotsOf(name)[0]]] : [])),
      )
      const { expenseId, nextId, state } = await call(filePaper, {
        id: paper.id,
        expense: input,
        spots: kept,
        ...(confirmed ? { confirmed } : {}),
      })
      onFiled(expenseId, nextId, state)
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(false)
    }
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // After the refusal is shown: the first field it is about.
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  useImperativeHandle(ref, () => ({ take, file: () => void file() }))

  const warnings = useWarnings(expense())
  const questions = paper.questions.filter(
    (one) =>
      one.code !== 'expenses.askSameNumber' ||
      !warnings.some(({ code }) => code === 'expenses.sameNumber' || code === 'expenses.duplicate'),
  )
  const refused = fieldErrors(t, plainPaths(failure), Object.keys(fieldOf))
  const errorOf = (name: Name): string | undefined => {
    const fromServer = Object.entries(fieldOf).find(([path, field]) => field === name && refused.fields[path])
    return (
      (fromServer && refused.fields[fromServer[0]]) ??
      (tried ? missing[name as keyof typeof missing] : undefined)
    )
  }
  const twinId =
    failure instanceof CallFailure && failure.code === 'expenses.duplicate'
      ? String(failure.params.id ?? '')
      : undefined

  /** One field with how sure its value is. */
  const spotted = (
    name: Name,
    half: boolean,
    field: (common: {
      label: string
      error?: string
      hint?: ReactNode
      onFocus: () => void
      name: string
    }) => ReactNode,
  ) => {
    const guessName = guessOf[name]
    const guess = guessName ? paper.proposal[guessName] : null
    const sure =
      !guess || touched.has(name)
        ? undefined
        : guess.confidence >= 0.85
          ? 'high'
          : guess.confidence >= 0.6
            ? 'mid'
            : 'low'
    const error = errorOf(name)
    return (
      <div
        className="cp-field"
        data-half={half ? '' : undefined}
        data-sure={sure}
        onMouseEnter={() => point(name)}
        onMouseLeave={() => point(active)}
      >
        {field({
          label: t(`papers.fields.${name}`),
          ...(error ? { error } : {}),
          ...(sure === 'low' || sure === 'mid' ? { hint: t(`papers.sure.${sure}`) } : {}),
          onFocus: focus(name),
          name,
        })}
      </div>
    )
  }
  const search = async (q: string, signal: AbortSignal): Promise<Option[]> =>
    (await call(supplierNames, q ? { q } : {}, { signal })).rows.map((row) => ({
      key: row.id,
      label: row.name,
      hint: row.taxId ?? undefined,
    }))
  const { currency } = paper
  return (
    <form
      className="cp-form"
      ref={form}
      aria-label={t('papers.form')}
      onSubmit={(event) => {
        event.preventDefault()
        void file()
      }}
    >
      <div className="cp-fields">
        {spotted('supplier', false, (common) => (
          <RefField
            {...common}
            value={values.supplier}
            onChange={(supplier) => set({ supplier })}
            search={search}
            clearable
            onCreate={(label) => set({ supplier: { key: newKey, label } })}
            {...(values.supplier?.key === newKey ? { hint: t('papers.newSupplier') } : {})}
          />
        ))}
        {values.supplier?.key === newKey &&
          spotted('taxId', true, (common) => (
            <TextField
              {...common}
              ltr
              inputMode="numeric"
              max={11}
              optional
              value={values.taxId}
              onChange={(taxId) => set({ taxId })}
            />
          ))}
        {spotted('kind', values.supplier?.key === newKey, (common) => (
          <ChoiceField
            {...common}
            as="list"
            value={values.kind}
            onChange={(kind) => set({ kind })}
            choices={documentKinds.map((value) => ({ value, label: t(`papers.kind.${value}`) }))}
          />
        ))}
        {spotted('number', true, (common) => (
          <TextField {...common} ltr max={40} value={values.number} onChange={(number) => set({ number })} />
        ))}
        {spotted('day', true, (common) => (
          <DayField {...common} value={values.day} onChange={(day) => set({ day })} />
        ))}
        {spotted('total', true, (common) => (
          <MoneyField
            {...common}
            currency={currency}
            value={values.total}
            onChange={(sum) => setSum('total', sum)}
          />
        ))}
        {spotted('vat', true, (common) => (
          <MoneyField
            {...common}
            currency={currency}
            value={values.vat}
            onChange={(sum) => setSum('vat', sum)}
          />
        ))}
        {spotted('net', true, (common) => (
          <MoneyField
            {...common}
            currency={currency}
            value={values.net}
            onChange={(sum) => setSum('net', sum)}
          />
        ))}
        {isForeign &&
          spotted('rate', true, (common) => (
            <QuantityField {...common} value={values.rate} onChange={(rate) => set({ rate })} />
          ))}
        {spotted('dueDay', true, (common) => (
          <DayField {...common} optional value={values.dueDay} onChange={(dueDay) => set({ dueDay })} />
        ))}
        {spotted('typeId', false, (common) => (
          <ChoiceField
            {...common}
            as="list"
            value={values.typeId}
            {...(paper.usual.rule && values.typeId === paper.usual.typeId
              ? { hint: t('expenses.form.byRule', { name: paper.usual.rule }) }
              : {})}
            onChange={(typeId) => set({ typeId })}
            choices={(facts?.types ?? []).map((type) => ({
              value: type.id,
              label: type.name,
              hint: type.accountNumber,
            }))}
          />
        ))}
        {spotted('means', true, (common) => (
          <ChoiceField
            {...common}
            as="list"
            value={values.means}
            onChange={(means) => set({ means })}
            choices={meansNames.map((value) => ({ value, label: t(`expenses.means.${value}`) }))}
          />
        ))}
        {spotted('allocation', true, (common) => (
          <TextField
            {...common}
            ltr
            inputMode="numeric"
            max={26}
            optional
            value={values.allocation}
            onChange={(allocation) => set({ allocation })}
          />
        ))}
        {spotted('details', false, (common) => (
          <TextField
            {...common}
            optional
            max={200}
            value={values.details}
            onChange={(details) => set({ details })}
          />
        ))}
      </div>
      {warnings.map((one) => (
        <Note
          key={`${one.code}${one.path}`}
          tone="wait"
          action={
            one.twinId && <Link href={`/invoice/Expenses/all/${one.twinId}`}>{t('papers.openTwin')}</Link>
          }
        >
          {t(`errors.${one.code}`, dayed(one.params))}
        </Note>
      ))}
      {questions.map((one) => (
        <Note key={one.code} tone="wait">
          {t(`errors.${one.code}`, dayed(one.params))}
        </Note>
      ))}
      {questions.length > 0 && (
        <FlagField label={t('papers.confirm')} value={confirmed} onChange={setConfirmed} />
      )}
      {failure !== undefined && refused.rest && <Note tone="late">{say(failure)}</Note>}
      {twinId && (
        <Note
          tone="wait"
          action={<Link href={`/invoice/Expenses/all/${twinId}`}>{t('papers.openTwin')}</Link>}
        >
          {t('papers.expenseTwin')}
        </Note>
      )}
      <div className="cp-save">
        <span className="hint text-12">{t('papers.clickWords')}</span>
        <Button kind="primary" type="submit" icon={ArchiveRestore} busy={busy} keys="Ctrl ↵">
          {t('papers.file')}
        </Button>
      </div>
    </form>
  )
}

/** Bills whose VAT may be claimed. */
const kindsWithVat: ReadonlySet<string> = new Set(['taxInvoice', 'invoiceReceipt', 'credit'])

/** The field of this form that a refusal of the server belongs to. */
const fieldOf: Record<string, Name> = {
  supplierId: 'supplier',
  'supplier.taxId': 'taxId',
  supplier: 'supplier',
  supplierNumber: 'number',
  paper: 'kind',
  dueDate: 'dueDay',
  date: 'day',
  allocationNumber: 'allocation',
  'lines.0.vatAgorot': 'vat',
  'lines.0.netAgorot': 'net',
  'lines.0.typeId': 'typeId',
  lines: 'total',
  rate: 'rate',
  means: 'means',
  details: 'details',
}

const plainPaths = (failure: unknown): unknown =>
  failure instanceof CallFailure
    ? new CallFailure({
        code: failure.code,
        status: failure.status,
        params: failure.params,
        title: failure.title,
        errors: failure.errors.map((one) => ({ ...one, path: one.path.replace(/^expense\./, '') })),
      })
    : failure

const dayed = (params: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? formatDay(String(value)) : value,
    ]),
  )

const none: readonly ExpenseWarning[] = []

/** What a careful person would look at again, asked half a second after the last change. */
function useWarnings(input: ExpenseInput | undefined): readonly ExpenseWarning[] {
  const { supplier: _, ...rest } = input ?? { lines: [] }
  const asked = input ? JSON.stringify(rest) : undefined
  const [found, setFound] = useStateFor<readonly ExpenseWarning[]>(asked === undefined, none)
  useEffect(() => {
    if (!asked) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(checkExpense, JSON.parse(asked) as never, { signal: stop.signal, quiet: true }).then(
        (answer) => setFound(answer.warnings),
        () => setFound([]),
      )
    }, 500)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [asked, setFound])
  return found
}
