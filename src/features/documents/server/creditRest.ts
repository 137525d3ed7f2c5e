import { sql } from 'kysely'
import type { VatClass } from '../../../domain/documents/arithmetic.ts'
import { restOf, sumsOf, takesTooMuchOf, type CreditSums } from '../../../domain/documents/credit.ts'
import { Failure } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { load, loadLines, type StoredDocument, type StoredLine } from './load.ts'
import type { Prepared } from './prepare.ts'

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
  }>`/*=*/ select coalesce(sum(d.rounding_agorot), 0)::bigint as rounding, coalesce(sum(d.ils_total_agorot), 0)::bigint as total,
      coalesce(sum(d.ils_vat_agorot), 0)::bigint as vat, coalesce(sum(d.ils_net_agorot), 0)::bigint as net,
      coalesce(sum(d.ils_untaxed_agorot), 0)::bigint as untaxed,
      (select o.ils_untaxed_agorot from documents o where o.company_id = ${ctx.companyId} and o.id = ${original.id}) as own,
      coalesce((select jsonb_agg(jsonb_build_object('vatClass', l.vat_class, 'net', l.net_agorot, 'vat', l.vat_agorot))
        from document_lines l join documents c on c.company_id = l.company_id and c.id = l.document_id
        where l.company_id = ${ctx.companyId} and c.source_id = ${original.id} and c.type = 10 and c.status <> 'draft'), '[]') as lines
    from documents d where d.company_id = ${ctx.companyId} and d.source_id = ${original.id} and d.type = 10 and d.status <> 'draft'`.execute(
    ctx.tx,
  )
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
      rounding: original.ils_total_agorot - original.ils_net_agorot - original.ils_vat_agorot - (gone.total - gone.net - gone.vat),
      untaxed: gone.own - gone.untaxed,
    },
  }
}

/** Whatever lines a credit names itself, of no class of VAT it takes more than is left; the whole is checked where it is issued. */
export async function refuseTooMuchOfClass(ctx: Ctx, sourceId: string, totals: Prepared['totals']): Promise<void> {
  const { lines, rest } = await restOfInvoice(ctx, await load(ctx, sourceId))
  // What came with the books has a sum and no lines; what is above the whole is refused by the database, and says so.
  if (!lines.length || totals.total > rest.total) return
  const vatClass = takesTooMuchOf(sumsOf(totals.lines, totals.rounding), rest)
  if (vatClass) throw new Failure('kit.badInput', {}, [{ path: 'lines', code: `documents.creditsTooMuchOf.${vatClass}` }])
}
