import type { Day } from '#domain/day.ts'
import { papers, type ExpensePaper, type VatShare } from '#domain/vat/shares.ts'
import { workOutExpense, type WorkedExpense } from '#domain/expenses/workOut.ts'
import { includedRate, splitByLargestRemainder, timesRate } from '#domain/money.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { ExpenseAnswer, ExpenseInput, expenseFacts } from '../../endpoints.ts'

/*
 * What is typed into the form of an expense, without React. Amounts are positive as on the document; a supplier's
 * credit is negated when it is sent.
 */

export type Facts = OutputOf<typeof expenseFacts>
export type ExpenseType = Facts['types'][number]

export interface FormLine {
  key: number
  typeId: string | null
  details: string
  net: number | null
  vat: number | null
  /** In place of the type's own. */
  vatShare: VatShare | null
  projectId: string | null
}

export interface FormFile {
  id: string
  name: string
  mime: string
}

export interface Form {
  supplier: { id: string | null; name: string; taxId: string } | null
  number: string
  paper: ExpensePaper
  isCredit: boolean
  day: Day
  /** null: the paper's own, or the first period that is open. */
  vatDay: Day | null
  claimsVat: boolean
  dueDay: Day | null
  allocation: string
  details: string
  notes: string
  currency: string
  rate: string
  lines: FormLine[]
  means: NonNullable<ExpenseInput['means']>
  paidDay: Day | null
  recurringId: string | null
  files: FormFile[]
}

let keys = 0
export const emptyLine = (typeId: string | null = null): FormLine => ({
  key: ++keys,
  typeId,
  details: '',
  net: null,
  vat: null,
  vatShare: null,
  projectId: null,
})

export const emptyForm = (today: Day, typeId: string | null = null): Form => ({
  supplier: null,
  number: '',
  paper: 'taxInvoice',
  isCredit: false,
  day: today,
  vatDay: null,
  claimsVat: true,
  dueDay: null,
  allocation: '',
  details: '',
  notes: '',
  currency: 'ILS',
  rate: '',
  lines: [emptyLine(typeId)],
  means: 'onCredit',
  paidDay: null,
  recurringId: null,
  files: [],
})

/** A kept expense in the form again; `asNew` leaves out what only that paper has. */
export function formOf(e: ExpenseAnswer, asNew?: Day): Form {
  const sign = e.paperTotalAgorot < 0 ? -1 : 1
  return {
    supplier: e.supplierId
      ? { id: e.supplierId, name: e.supplierName ?? '', taxId: e.supplierTaxId ?? '' }
      : null,
    number: asNew ? '' : e.supplierNumber,
    paper: e.paper,
    isCredit: sign < 0,
    day: asNew ?? e.date,
    vatDay: asNew || e.vatDate === e.date ? null : e.vatDate,
    claimsVat: e.claimsVat,
    dueDay: asNew ? null : e.dueDate,
    allocation: asNew ? '' : e.allocationNumber,
    details: e.details,
    notes: asNew ? '' : e.notes,
    currency: e.currency,
    rate: e.currency === 'ILS' ? '' : e.rate.replace(/\.?0+$/, ''),
    lines: e.lines.map((l) => ({
      key: ++keys,
      typeId: l.typeId,
      details: l.details,
      net: sign * l.netAgorot,
      vat: sign * l.vatAgorot,
      vatShare: l.vatShare,
      projectId: l.projectId,
    })),
    means: e.means,
    paidDay: asNew ? null : e.paidDate,
    recurringId: asNew ? null : e.recurringId,
    files: asNew ? [] : e.files,
  }
}

/**
 * Whether VAT is added to what is typed: not for who deducts none, nor where the type recognises none and the
 * sum is the cost.
 */
export const addsVat = (
  line: FormLine,
  type: ExpenseType | undefined,
  form: Pick<Form, 'paper' | 'currency'>,
  facts: Facts,
): boolean =>
  facts.deductsVat &&
  papers[form.paper].carriesVat &&
  form.currency === 'ILS' &&
  (line.vatShare ?? type?.vatShare ?? 'full') !== 'none'

export const totalOf = (line: FormLine): number | null =>
  line.net === null && line.vat === null ? null : (line.net ?? 0) + (line.vat ?? 0)

/** The net is typed: the VAT follows. */
export const withNet = (line: FormLine, net: number | null, rateBp: number, adds: boolean): FormLine => ({
  ...line,
  net,
  vat: net === null ? null : adds ? timesRate(net, rateBp, 'halfAwayFromZero') : 0,
})

/** The sum to pay is typed: what is VAT in it is taken out. */
export function withTotal(line: FormLine, total: number | null, rateBp: number, adds: boolean): FormLine {
  const vat = total === null ? null : adds ? includedRate(total, rateBp) : 0
  return { ...line, vat, net: total === null ? null : total - vat! }
}

/**
 * The sum of the whole bill is typed: the lines share it as they do now, or as bills of this supplier usually
 * do.
 */
export function withBillTotal(
  lines: readonly FormLine[],
  total: number,
  weights: readonly number[] | undefined,
  change: (line: FormLine, total: number) => FormLine,
): FormLine[] {
  const now = lines.map((line) => Math.abs(totalOf(line) ?? 0))
  const parts = splitByLargestRemainder(
    total,
    now.some((n) => n > 0) ? now : weights?.length === lines.length ? weights : now,
  )
  return lines.map((line, i) => change(line, parts[i]!))
}

const millionths = (rate: string): number => {
  const [whole = '0', part = ''] = rate.split('.')
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0').slice(0, 6))
}

/**
 * The totals under the lines while they are typed: the figures the server will store. Undefined where they cannot be
 * exact.
 */
export function worked(form: Form, facts: Facts): WorkedExpense | undefined {
  const types = new Map(facts.types.map((type) => [type.id, type]))
  const sign = form.isCredit ? -1 : 1
  try {
    return workOutExpense(
      form.lines.map((line) => {
        const type = types.get(line.typeId ?? '')
        return {
          net: sign * (line.net ?? 0),
          vat: sign * (line.vat ?? 0),
          vatShare: line.vatShare ?? type?.vatShare ?? 'full',
          incomeTaxBp: type?.incomeTaxBp ?? 10_000,
          isFixedAsset: type?.isFixedAsset ?? false,
        }
      }),
      {
        rateMillionths: form.currency === 'ILS' ? 1_000_000 : millionths(form.rate || '1'),
        recognisesVat: facts.deductsVat && papers[form.paper].carriesVat && form.claimsVat,
      },
    )
  } catch {
    return undefined
  }
}

/** What is sent. Lines without a sum are left out while another has one. */
export function inputOf(form: Form): ExpenseInput {
  const sign = form.isCredit ? -1 : 1
  const filled = form.lines.filter((line) => totalOf(line) !== null)
  const lines = (filled.length > 0 ? filled : form.lines).map((line) => ({
    typeId: line.typeId ?? '',
    details: line.details,
    netAgorot: sign * (line.net ?? 0) || 0,
    vatAgorot: sign * (line.vat ?? 0) || 0,
    ...(line.vatShare ? { vatShare: line.vatShare } : {}),
    projectId: line.projectId,
  }))
  const { supplier } = form
  return {
    ...(supplier?.id
      ? { supplierId: supplier.id }
      : supplier
        ? { supplier: { name: supplier.name, ...(supplier.taxId ? { taxId: supplier.taxId } : {}) } }
        : {}),
    supplierNumber: form.number,
    paper: form.paper,
    date: form.day,
    vatDate: form.vatDay,
    claimsVat: form.claimsVat,
    dueDate: form.means === 'onCredit' ? form.dueDay : null,
    allocationNumber: form.allocation,
    details: form.details,
    notes: form.notes,
    currency: form.currency,
    ...(form.currency === 'ILS' ? {} : { rate: form.rate }),
    lines,
    means: form.means,
    paidDate: form.means === 'onCredit' ? null : form.paidDay,
    recurringId: form.recurringId,
    fileIds: form.files.map((file) => file.id),
  }
}
