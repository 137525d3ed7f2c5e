import { sql } from 'kysely'
import type { DocumentTotals, VatClass } from '#domain/documents/arithmetic.ts'
import { differenceInIls } from '#domain/documents/correction.ts'
import {
  meetRest,
  restOf,
  sumsOf,
  takesRest,
  takesTooMuchOf,
  type CreditSums,
} from '#domain/documents/credit.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isCredit, isIssued } from '#kit/server/data/documentFacts.ts'
import { typeId } from '../../types/index.ts'
import { millionths, totalsInIls } from '../../workOut.ts'
import { leftOf, load, loadLines, type StoredDocument, type StoredLine } from '../content/load.ts'
import type { Content, Prepared } from '../content/shapes.ts'

/** What the credits of an invoice left of it. */
export interface Rest {
  /** Of the invoice. */
  lines: StoredLine[]
  rest: CreditSums
  /** The same in agorot of the shekel: VAT, rounding, total and what bears no VAT. */
  restIls: { total: number; vat: number; rounding: number; untaxed: number }
}

export async function restOfInvoice(ctx: Ctx, original: StoredDocument): Promise<Rest> {
  const lines = await loadLines(ctx, original.id)
  const { rows } = await sql<{
    lines: { vatClass: VatClass; net: number; vat: number }[]
    rounding: number
    total: number
    vat: number
    net: number
    untaxed: number
    own: number
  }>`/*=*/ select coalesce(sum(d.rounding_agorot), 0)::bigint as rounding,
      coalesce(sum(d.ils_total_agorot), 0)::bigint as total,
      coalesce(sum(d.ils_vat_agorot), 0)::bigint as vat, coalesce(sum(d.ils_net_agorot), 0)::bigint as net,
      coalesce(sum(d.ils_untaxed_agorot), 0)::bigint as untaxed,
      (select o.ils_untaxed_agorot from documents o where o.company_id = ${ctx.companyId}
      and o.id = ${original.id}) as own,
      coalesce((select
      jsonb_agg(jsonb_build_object('vatClass', l.vat_class, 'net', l.net_agorot, 'vat', l.vat_agorot))
        from document_lines l join documents c on c.company_id = l.company_id and c.id = l.document_id
        where l.company_id = ${ctx.companyId} and c.source_id = ${original.id} and ${isCredit('c')}
          and ${isIssued('c')}), '[]') as lines
    from documents d where d.company_id = ${ctx.companyId} and d.source_id = ${original.id}
      and ${isCredit('d')}
      and ${isIssued('d')}`.execute(ctx.tx)
  const gone = rows[0]!
  const whole = sumsOf(
    lines.map((l) => ({ vatClass: l.vat_class, net: l.net_agorot, vat: l.vat_agorot })),
    original.rounding_agorot,
  )
  return {
    lines,
    rest: restOf(whole, sumsOf(gone.lines, gone.rounding)),
    restIls: {
      total: original.ils_total_agorot - gone.total,
      vat: original.ils_vat_agorot - gone.vat,
      rounding:
        original.ils_total_agorot -
        original.ils_net_agorot -
        original.ils_vat_agorot -
        (gone.total - gone.net - gone.vat),
      untaxed: gone.own - gone.untaxed,
    },
  }
}

/**
 * Whatever lines a credit contains, it takes no more of a class of VAT than is left; the whole is checked where it
 * is issued. One that takes all that is left equals it by class of VAT and in shekels too, whether its lines were
 * chosen, converted or written, and another refunds what its own roundings took too much.
 */
export async function keptToInvoice(ctx: Ctx, p: Prepared): Promise<Prepared> {
  const { sourceId } = p.content
  if (p.type.name !== 'creditInvoice' || !sourceId || p.content.classException?.trim()) return p
  // Locked, so that two credits at once do not each find room.
  const original = await load(ctx, sourceId, true)
  const found = await restOfInvoice(ctx, original)
  const { lines, rest } = found
  const isLast = takesRest(p.totals.total, rest) || (await takesLastLines(ctx, p, found))
  // What came with the books has a sum and no lines; what is above the whole is refused by the database, and
  // says so.
  if (!lines.length || (p.totals.total > rest.total && !isLast)) return p
  const vatClass = takesTooMuchOf(sumsOf(p.totals.lines, p.totals.rounding), rest)
  if (vatClass)
    throw new Failure('kit.badInput', {}, [{ path: 'lines', code: `documents.creditsTooMuchOf.${vatClass}` }])
  const whole = isLast ? meetRest(p.totals, rest, true) : 'apart'
  const isWhole = typeof whole === 'object'
  const met = isWhole ? whole : meetRest(p.totals, rest, false)
  // What did not change keeps its shekels: a correction's are the difference of two documents.
  if (
    typeof met !== 'object' ||
    (!isWhole && met.totals.lines.every((line, i) => line === p.totals.lines[i]))
  )
    return p
  const said = p.content.lines.map((l, i) => (met.asSum.has(i) ? saying(l, met.totals.lines[i]!.amount) : l))
  return withTotals(
    { ...found, original },
    { ...p, content: { ...p.content, lines: said } },
    met.totals,
    isWhole,
  )
}

/** Whether it takes of every line of the invoice all that no credit took, each at its price. */
async function takesLastLines(ctx: Ctx, p: Prepared, { lines }: Rest): Promise<boolean> {
  const { sourceId } = p.content
  const own = p.content.lines
  const isOf = (l: StoredLine, line: Content['lines'][number]) =>
    line.source?.documentId === sourceId &&
    line.source?.line === l.line &&
    parseDecimal4(line.unitPrice) === parseDecimal4(l.unit_price)
  if (!own.every((line) => lines.some((l) => isOf(l, line)))) return false
  const left = await leftOf(ctx, sourceId!, typeId(p.type.name))
  const takenOf = (l: StoredLine) =>
    own.filter((line) => isOf(l, line)).reduce((sum, line) => sum + (parseDecimal4(line.quantity) ?? 0), 0)
  return lines.every((l) => takenOf(l) >= (parseDecimal4(left.get(l.line) ?? '0') ?? 0))
}

/** A line that says a sum on the footing of its price. */
export const saying = (line: Content['lines'][number], agorot: number): Content['lines'][number] => ({
  ...line,
  quantity: '1',
  unitPrice: toText(agorot * 100),
  discount: undefined,
})

/** The figures of the credit in place of those its lines would give. */
export function withTotals(
  { original, restIls }: Rest & { original: StoredDocument },
  prepared: Prepared,
  totals: DocumentTotals,
  isLast: boolean,
): Prepared {
  const ils =
    original.currency === 'ILS'
      ? totals
      : isLast
        ? differenceInIls(totals, restIls)
        : totalsInIls(totals, millionths(prepared.rate))
  return { ...prepared, totals, ils }
}
