import {
  meetRest,
  restByLines,
  sumByClasses,
  sumByVat,
  takesRest,
  takesTooMuchOfClass,
  withVatOf,
} from '#domain/documents/credit.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { discountOfPart } from '#domain/documents/joining.ts'
import { vatKindById } from '#domain/documents/kinds.ts'
import { lineAmount } from '#domain/documents/arithmetic.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { typeById, typeId } from '../../types/index.ts'
import { issue, type Issued } from './issue.ts'
import { restOfInvoice, saying, withTotals, type Rest } from './creditRest.ts'
import {
  contentOf,
  discountOf,
  leftOf,
  load,
  plainDecimal,
  type StoredDocument,
  type StoredLine,
} from '../content/load.ts'
import { prepare } from '../content/prepare.ts'
import type { Content, Prepared } from '../content/shapes.ts'

export interface Credit {
  id: string
  reason: string
  /** Today when absent; never before the invoice. */
  date?: string | undefined
  /** Its number in the paper book, of one that was written by hand. */
  handNumber?: number | undefined
  /** So much of these lines: by quantity, or by a sum with VAT. */
  lines?: { line: number; quantity?: string | undefined; agorot?: number | undefined }[] | undefined
  /** A sum with VAT off the whole invoice, split over its VAT classes. */
  agorot?: number | undefined
  /** Of that sum, what is VAT, as the paper says it; split by what is left of each class when absent. */
  vatAgorot?: number | undefined
}

/**
 * A credit invoice for a part of an invoice: by line and quantity, by a sum of a line, or by a sum of the
 * whole. Never above what is left of the sum and of each class of VAT, and always taxed as the invoice it
 * credits. Without lines and sum it credits all that is left, to the agora.
 */
export async function credit(ctx: Ctx, given: Credit): Promise<Issued> {
  const original = await load(ctx, given.id, true)
  if (statusFacts(original.status).isDraft) throw fail('documents.stillDraft')
  if (statusFacts(original.status).isCancelled)
    throw fail('documents.alreadyCancelled', { number: original.number ?? 0 })
  const type = typeById(original.type)
  if (type?.cancelledBy !== 'creditInvoice')
    throw fail('documents.cannotCancel', { number: original.number ?? 0 })
  const source = await creditable(ctx, original)
  if (given.agorot !== undefined && given.agorot > source.rest.total) throw tooMuchOfAll()
  if (isNothing(source.rest)) throw fail('documents.nothingLeft', { number: original.number ?? 0 })
  const day = given.date ?? ctx.today
  if (day < original.day)
    throw new Failure('kit.badInput', {}, [
      { path: 'date', code: 'documents.creditBeforeInvoice', params: { day: original.day } },
    ])
  return issue(ctx, await creditOf(ctx, source, given, day), undefined, { reason: given.reason })
}

/**
 * Writes a debt off: a credit invoice for so much of what is open, which takes the VAT back and leaves the income as it
 * was (VAT Regulations, 24A). No goods come back by it, so its lines name no items and take no quantities. The caller
 * checks what the law asks.
 */
export async function writeOff(
  ctx: Ctx,
  original: StoredDocument,
  { agorot, reason, date }: { agorot: number; reason: string; date: string },
): Promise<Issued> {
  const source = await creditable(ctx, original)
  if (agorot > source.rest.total) throw tooMuchOfAll()
  const prepared = await creditOf(ctx, source, { agorot }, date)
  const lines = prepared.content.lines.map((line) => ({
    ...line,
    itemId: null,
    sku: '',
    incomeKindId: null,
    source: line.source && { ...line.source, quantity: '0' },
  }))
  return issue(ctx, { ...prepared, isBadDebt: true, content: { ...prepared.content, lines } }, undefined, {
    reason,
  })
}

/** The credit of all that an invoice is, for cancelling it. */
export async function creditWhole(
  ctx: Ctx,
  original: StoredDocument,
  reason: string,
  day: string,
): Promise<Issued> {
  return issue(ctx, await creditOf(ctx, await creditable(ctx, original), {}, day), undefined, { reason })
}

/** An invoice, its lines and what its credits left of it. */
interface Creditable extends Rest {
  original: StoredDocument
  /** By line, the quantity that no credit took. */
  left: ReadonlyMap<number, string>
}

const creditable = async (ctx: Ctx, original: StoredDocument): Promise<Creditable> => ({
  original,
  left: await leftOf(ctx, original.id, typeId('creditInvoice')),
  ...(await restOfInvoice(ctx, original)),
})

async function creditOf(
  ctx: Ctx,
  source: Creditable,
  given: Pick<Credit, 'lines' | 'agorot' | 'vatAgorot' | 'handNumber'>,
  day: string,
): Promise<Prepared> {
  const { original, rest } = source
  const paper = {
    type: typeId('creditInvoice'),
    sourceId: original.id,
    date: day,
    handNumber: given.handNumber,
  }
  const { takesAll, ...content } = contentFor(source, given)
  if (takesAll && !content.lines.length) return withAllLeft(ctx, source, { ...content, ...paper })
  if (!content.lines.length) throw fail('documents.nothingLeft', { number: original.number ?? 0 })
  const worked = await prepare(ctx, { ...content, ...paper })
  const prepared =
    given.vatAgorot === undefined ? worked : { ...worked, totals: withVatOf(worked.totals, given.vatAgorot) }
  let isLast = takesAll || takesRest(prepared.totals.total, rest)
  const isSame = prepared.totals.lines.every((l, i) => l.vatClass === lineFor(source, content, i).vat_class)
  let met = isSame ? meetRest(prepared.totals, rest, isLast) : 'apart'
  // The sum is what is left, but of other lines than those that were named.
  if (met === 'apart' && !takesAll) {
    isLast = false
    met = meetRest(prepared.totals, rest, false)
  }
  if (met === 'tooMuch') throw tooMuchOfAll()
  if (met === 'apart') return withAllLeft(ctx, source, { ...content, ...paper })
  // A sum off the whole that reaches into what the invoice was rounded up by.
  const short = given.agorot !== undefined && !isLast ? given.agorot - met.totals.total : 0
  const totals = { ...met.totals, rounding: met.totals.rounding + short, total: met.totals.total + short }
  if (totals.total > rest.total) throw tooMuchOfAll()
  const lines = prepared.content.lines.map((l, i) =>
    met.asSum.has(i) ? saying(l, totals.lines[i]!.amount) : l,
  )
  return withTotals(source, { ...prepared, content: { ...prepared.content, lines } }, totals, isLast)
}

const lineFor = ({ lines }: Creditable, content: Content, i: number): StoredLine =>
  lines.find((l) => l.line === content.lines[i]!.source!.line)!

/**
 * All that is left, line by line; a line says its quantity and price where that comes to what is left of it,
 * else the sum.
 */
async function withAllLeft(ctx: Ctx, source: Creditable, content: Content): Promise<Prepared> {
  const { original, lines, left, rest } = source
  const leftAt = (l: StoredLine) => Math.max(0, parseDecimal4(left.get(l.line) ?? '0') ?? 0)
  const { places, totals } = restByLines(
    lines.map((l) => ({
      vatKind: vatKindById(l.vat_kind)!,
      vatClass: l.vat_class,
      gross: l.total_agorot,
      quantity: parseDecimal4(l.quantity) ?? 0,
      left: leftAt(l),
    })),
    rest,
  )
  const whole = contentOf(original, lines).lines
  const taken = places.map((i, place) => {
    const [line, l, amount] = [whole[i]!, lines[i]!, totals.lines[place]!.amount]
    const quantity = toText(leftAt(l))
    const isProduct =
      leftAt(l) > 0 &&
      lineAmount({
        quantity: leftAt(l),
        unitPrice: parseDecimal4(l.unit_price) ?? 0,
        ...partly(l, leftAt(l), leftAt(l)),
      }) === amount
    return {
      ...(isProduct
        ? { ...line, discount: undefined, quantity, ...partly(l, leftAt(l), leftAt(l)) }
        : saying(line, amount)),
      source: { documentId: original.id, line: l.line, quantity },
    }
  })
  const prepared = await prepare(ctx, { ...content, discount: null, lines: taken })
  return withTotals(source, prepared, totals, true)
}

/**
 * The content of a credit, from the invoice; `takesAll` when that is all that is left of it, without lines when only
 * amounts can express it.
 */
function contentFor(
  source: Creditable,
  { lines: chosen, agorot, vatAgorot }: Pick<Credit, 'lines' | 'agorot' | 'vatAgorot'>,
): Content & { takesAll: boolean } {
  const { original, lines, left, rest } = source
  const base: Content = {
    ...contentOf(original, lines),
    dueDate: null,
    clientKey: undefined,
    payments: [],
    closes: undefined,
    handNumber: undefined,
    validUntil: null,
    reason: '',
    rounding: 'none',
  }
  const isVatOfRest = vatAgorot === undefined || Math.abs(vatAgorot - rest.classes.standard.vat) <= 1
  if (agorot === rest.total && isVatOfRest) return { ...base, lines: [], takesAll: true }
  if (agorot !== undefined)
    return { ...base, discount: null, lines: bySum(source, agorot, vatAgorot), takesAll: false }

  const leftAt = (line: number) => parseDecimal4(left.get(line) ?? '0') ?? 0
  const wanted =
    chosen ?? lines.map((l) => ({ line: l.line, quantity: left.get(l.line) ?? '0', agorot: undefined }))
  const taken = wanted.flatMap(
    (
      { line, quantity, agorot: part },
      i,
    ): { l: StoredLine; line: Content['lines'][number]; quantity?: string }[] => {
      const at = lines.findIndex((l) => l.line === line)
      const l = lines[at]
      if (!l) throw new Failure('kit.badInput', {}, [{ path: `lines.${i}.line`, code: 'fields.ref' }])
      const own = base.lines[at]!
      if (part !== undefined) {
        if (part <= 0 || part > l.total_agorot) throw tooMuch(`lines.${i}.agorot`, line)
        return [
          { l, line: { ...oneSum(own, l, part), source: { documentId: original.id, line, quantity: '0' } } },
        ]
      }
      const amount = quantity ?? left.get(line) ?? '0'
      if (!parseDecimal4(amount)) return []
      if ((parseDecimal4(amount) ?? 0) > leftAt(line)) throw tooMuch(`lines.${i}.quantity`, line)
      const plain = plainDecimal(amount)
      // A line that takes away goes back whole; there is nothing of it to be taken by parts.
      const takes = leftAt(line) > 0 ? plain : '0'
      const ownDiscount = partly(l, leftAt(line), parseDecimal4(plain) ?? 0)
      const source = { documentId: original.id, line, quantity: takes }
      return [
        {
          l,
          quantity: plain,
          line: { ...own, discount: undefined, ...ownDiscount, quantity: plain, source },
        },
      ]
    },
  )
  const byQuantity = taken.filter((t) => t.quantity !== undefined)
  const isByQuantity = byQuantity.length === taken.length
  const takesAll =
    !chosen ||
    (isByQuantity &&
      lines.every(
        (l) =>
          byQuantity.some((t) => t.l === l && parseDecimal4(t.quantity!) === leftAt(l.line)) ||
          leftAt(l.line) <= 0,
      ))
  // A discount by sum goes with the lines in proportion; one by percent is the same percent. A line by its
  // sum has its discount inside.
  const discount =
    base.discount && 'agorot' in base.discount
      ? { agorot: partOfDiscount(base.discount.agorot, lines, byQuantity) }
      : isByQuantity
        ? base.discount
        : null
  const needsOwn = !isByQuantity && base.discount
  return {
    ...base,
    discount: needsOwn ? null : (discount ?? null),
    lines: taken.map((t) =>
      needsOwn && t.quantity !== undefined ? withOwnDiscount(t.line, t.l, t.quantity) : t.line,
    ),
    takesAll,
  }
}

/** The line's own discount for so much of what is left of it. */
const partly = (l: StoredLine, left: number, taken: number): Pick<Content['lines'][number], 'discount'> => {
  const [whole, unitPrice] = [parseDecimal4(l.quantity) ?? 0, parseDecimal4(l.unit_price) ?? 0]
  const discount = discountOfPart(discountOf(l), { whole, left, taken, unitPrice })
  return discount ? { discount } : {}
}

/** Nothing of any class is left; a total of zero alone may hold charges and what they were covered by. */
const isNothing = ({ classes, rounding }: Rest['rest']): boolean =>
  rounding === 0 && Object.values(classes).every(({ net, vat }) => net === 0 && vat === 0)

const tooMuch = (path: string, line: number) =>
  new Failure('kit.badInput', {}, [{ path, code: 'documents.takesTooMuch', params: { line } }])
const tooMuchOfAll = () =>
  new Failure('kit.badInput', {}, [{ path: 'lines', code: 'documents.creditsTooMuch' }])

/** A line that says a sum with VAT. */
const oneSum = (line: Content['lines'][number], l: StoredLine, agorot: number): Content['lines'][number] => ({
  ...saying(line, agorot),
  vatKind: l.vat_class === 'standard' ? 2 : l.vat_class === 'zero' ? 1 : l.vat_kind === 3 ? 3 : 4,
})

/** When lines by quantity and by sum stand together, each carries its own part of the document's discount. */
function withOwnDiscount(
  line: Content['lines'][number],
  l: StoredLine,
  quantity: string,
): Content['lines'][number] {
  const [part = 0] = splitByLargestRemainder(l.total_agorot, [
    parseDecimal4(quantity) ?? 0,
    (parseDecimal4(l.quantity) ?? 0) - (parseDecimal4(quantity) ?? 0),
  ])
  return { ...oneSum(line, l, part), source: line.source }
}

function partOfDiscount(
  agorot: number,
  lines: StoredLine[],
  taken: { l: StoredLine; quantity?: string }[],
): number {
  const weightOf = (l: StoredLine) => {
    const quantity = parseDecimal4(taken.find((t) => t.l === l)?.quantity ?? '0') ?? 0
    const whole = parseDecimal4(l.quantity) ?? 1
    return Math.round((l.amount_agorot * quantity) / whole)
  }
  const inside = lines.reduce((total, l) => total + weightOf(l), 0)
  const all = lines.reduce((total, l) => total + l.amount_agorot, 0)
  return splitByLargestRemainder(agorot, [inside, all - inside])[0] ?? 0
}

/**
 * The sum split over the VAT classes of the invoice: by the VAT that is said, else in proportion to what is
 * left of each.
 */
function bySum({ original, lines, rest }: Creditable, agorot: number, vatAgorot?: number): Content['lines'] {
  const atVat = (code: string) => new Failure('kit.badInput', {}, [{ path: 'vatAgorot', code }])
  const parts =
    vatAgorot === undefined
      ? sumByClasses(agorot, rest)
      : sumByVat(agorot, vatAgorot, original.vat_rate_bp, rest)
  if (parts === 'tooMuch') throw atVat('documents.creditVatTooMuch')
  const over = vatAgorot === undefined ? undefined : parts.find((part) => takesTooMuchOfClass(part, rest))
  if (over) throw atVat(`documents.creditsTooMuchOf.${over.vatClass}`)
  return parts.map((part) => {
    const l = lines.find((one) => one.vat_class === part.vatClass)!
    return {
      ...oneSum({ description: l.description, quantity: '1', unitPrice: '0' }, l, part.agorot),
      source: { documentId: original.id, line: l.line, quantity: '0' },
    }
  })
}
