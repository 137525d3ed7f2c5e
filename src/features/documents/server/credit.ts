import { sql } from 'kysely'
import { splitByLargestRemainder } from '../../../domain/money.ts'
import { parseDecimal4 } from '../../../domain/quantity.ts'
import { fail, Failure } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { typeById, typeId } from '../types/index.ts'
import { issue, type Issued } from './issue.ts'
import { contentOf, load, loadLines, plainDecimal, type StoredDocument, type StoredLine } from './load.ts'
import { prepare, type Content } from './prepare.ts'

export interface Credit {
  id: string
  reason: string
  date?: string | undefined
  /** So much of these lines: by quantity, or by a sum with VAT. */
  lines?: { line: number; quantity?: string | undefined; agorot?: number | undefined }[] | undefined
  /** A sum with VAT off the whole invoice, split over its VAT classes. */
  agorot?: number | undefined
}

/**
 * A credit invoice for a part of an invoice: by line and quantity, by a sum of a line, or by a sum of the whole. Never above what is left, and
 * always at the rate of the invoice it credits. Without lines and sum it credits all that is left.
 */
export async function credit(ctx: Ctx, given: Credit): Promise<Issued> {
  const original = await load(ctx, given.id, true)
  if (original.status === 'draft') throw fail('documents.stillDraft')
  if (original.status === 'cancelled') throw fail('documents.alreadyCancelled', { number: original.number ?? 0 })
  const type = typeById(original.type)
  if (type?.cancelledBy !== 'creditInvoice') throw fail('documents.cannotCancel', { number: original.number ?? 0 })
  const lines = await loadLines(ctx, original.id)
  const left = original.total_agorot - original.credited_agorot
  const content = await contentFor(ctx, original, lines, given)
  if (!content.lines.length) throw fail('documents.nothingLeft', { number: original.number ?? 0 })
  const prepared = await prepare(
    ctx,
    { ...content, type: typeId('creditInvoice'), sourceId: original.id, date: given.date ?? ctx.today },
    { vatRateBp: original.vat_rate_bp, ...(content.byQuantity ? { atMost: left } : {}), ...(content.takesAll ? { exactly: left } : {}) },
  )
  return issue(ctx, prepared, undefined, { reason: given.reason })
}

async function contentFor(
  ctx: Ctx,
  original: StoredDocument,
  lines: StoredLine[],
  { lines: chosen, agorot }: Credit,
): Promise<Content & { takesAll?: boolean; byQuantity?: boolean }> {
  const base: Content = {
    ...contentOf(original, lines),
    dueDate: null,
    clientKey: undefined,
    payments: [],
    closes: [],
    handNumber: undefined,
    rounding: 'none',
  }
  if (agorot !== undefined) return { ...base, discount: null, lines: bySum(original, lines, agorot) }

  const { rows } = await sql<{
    line: number
    left_: string
  }>`select line, left_::text from left_of_lines(${ctx.companyId}, ${original.id})`.execute(ctx.tx)
  const left = new Map(rows.map((r) => [r.line, r.left_]))
  const wanted = chosen ?? lines.map((l) => ({ line: l.line, quantity: left.get(l.line) ?? '0', agorot: undefined }))
  const taken = wanted.flatMap(
    ({ line, quantity, agorot: sum }, i): { l: StoredLine; line: Content['lines'][number]; quantity?: string }[] => {
      const at = lines.findIndex((l) => l.line === line)
      const l = lines[at]
      if (!l) throw new Failure('kit.badInput', {}, [{ path: `lines.${i}.line`, code: 'fields.ref' }])
      const source = base.lines[at]!
      if (sum !== undefined) {
        if (sum <= 0 || sum > l.total_agorot) throw tooMuch(`lines.${i}.agorot`, line)
        return [{ l, line: { ...oneSum(source, l, sum), source: { documentId: original.id, line, quantity: '0' } } }]
      }
      const amount = quantity ?? left.get(line) ?? '0'
      if (!parseDecimal4(amount)) return []
      if ((parseDecimal4(amount) ?? 0) > (parseDecimal4(left.get(line) ?? '0') ?? 0)) throw tooMuch(`lines.${i}.quantity`, line)
      const plain = plainDecimal(amount)
      return [{ l, quantity: plain, line: { ...source, quantity: plain, source: { documentId: original.id, line, quantity: plain } } }]
    },
  )
  const byQuantity = taken.filter((t) => t.quantity !== undefined)
  const takesAll =
    byQuantity.length === taken.length &&
    lines.every(
      (l) =>
        byQuantity.some((t) => t.l === l && t.quantity === plainDecimal(left.get(l.line) ?? '0')) ||
        parseDecimal4(left.get(l.line) ?? '0') === 0,
    )
  // A discount by sum goes with the lines in proportion; one by percent is the same percent. A line by its sum has its discount inside.
  const discount =
    base.discount && 'agorot' in base.discount
      ? { agorot: partOfDiscount(base.discount.agorot, lines, byQuantity) }
      : taken.length === byQuantity.length
        ? base.discount
        : null
  const needsOwn = taken.length !== byQuantity.length && base.discount
  return {
    ...base,
    discount: needsOwn ? null : (discount ?? null),
    lines: taken.map((t) => (needsOwn && t.quantity !== undefined ? withOwnDiscount(t.line, t.l, t.quantity) : t.line)),
    takesAll,
    byQuantity: byQuantity.length === taken.length,
  }
}

const tooMuch = (path: string, line: number) =>
  new Failure('kit.badInput', {}, [{ path, code: 'documents.takesTooMuch', params: { line } }])

/** A line that says a sum with VAT. */
const oneSum = (source: Content['lines'][number], l: StoredLine, agorot: number): Content['lines'][number] => ({
  ...source,
  quantity: '1',
  unitPrice: units(agorot),
  discount: undefined,
  vatKind: l.vat_class === 'standard' ? 2 : l.vat_kind === 3 ? 3 : 4,
})

/** When lines by quantity and by sum stand together, each carries its own part of the document's discount. */
function withOwnDiscount(line: Content['lines'][number], l: StoredLine, quantity: string): Content['lines'][number] {
  const [part = 0] = splitByLargestRemainder(l.total_agorot, [
    parseDecimal4(quantity) ?? 0,
    (parseDecimal4(l.quantity) ?? 0) - (parseDecimal4(quantity) ?? 0),
  ])
  return { ...oneSum(line, l, part), source: line.source }
}

function partOfDiscount(agorot: number, lines: StoredLine[], taken: { l: StoredLine; quantity?: string }[]): number {
  const weightOf = (l: StoredLine) => {
    const quantity = parseDecimal4(taken.find((t) => t.l === l)?.quantity ?? '0') ?? 0
    const whole = parseDecimal4(l.quantity) ?? 1
    return Math.round((l.amount_agorot * quantity) / whole)
  }
  const inside = lines.reduce((sum, l) => sum + weightOf(l), 0)
  const all = lines.reduce((sum, l) => sum + l.amount_agorot, 0)
  return splitByLargestRemainder(agorot, [inside, all - inside])[0] ?? 0
}

/** The sum split over the VAT classes of the invoice in proportion to what each came to. */
function bySum(original: StoredDocument, lines: StoredLine[], agorot: number): Content['lines'] {
  const classes = (['standard', 'exempt', 'zero'] as const).filter((c) => lines.some((l) => l.vat_class === c && l.total_agorot !== 0))
  const shares = splitByLargestRemainder(
    agorot,
    classes.map((c) => lines.filter((l) => l.vat_class === c).reduce((sum, l) => sum + l.total_agorot, 0)),
  )
  return classes.flatMap((c, i) => {
    const l = lines.find((one) => one.vat_class === c)!
    if (!shares[i]) return []
    return [
      {
        ...oneSum({ description: l.description, quantity: '1', unitPrice: '0' }, l, shares[i]),
        source: { documentId: original.id, line: l.line, quantity: '0' },
      },
    ]
  })
}

const units = (agorot: number): string => `${Math.trunc(agorot / 100)}.${String(Math.abs(agorot % 100)).padStart(2, '0')}`
