import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { formatDay } from '../../../domain/format.ts'
import { documentTypeById } from '../../../domain/documents/kinds.ts'
import { parseDecimal4 } from '../../../domain/quantity.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { sealPdf } from '../../../kit/server/seal/seal.ts'
import { say } from '../../../kit/server/words.ts'
import { logoOf, signerOf } from '../../companies/server/index.ts'
import { load, loadLines, type StoredDocument, type StoredLine } from './load.ts'
import { paperOf } from './print/paperOf.ts'
import { documentPdf, documentSvg } from './print/render.ts'
import type { PaperSource, PaperVariant } from './print/source.ts'

export type Variant = 'original' | 'copy' | 'certified' | 'thermal'

/** Terms of payment in words: 'שוטף + 30'. */
export const termsInWords = (language: StoredDocument['language'], terms: string): string => {
  const [kind = 'now', days = '0'] = terms.split(':')
  return say(language, `documents.terms.${kind}`, { days: Number(days) })
}

async function sourceOf(ctx: Ctx, d: StoredDocument, lines: StoredLine[], variant: PaperVariant): Promise<PaperSource> {
  const b = d.business
  const logo = await logoOf(ctx)
  const original = d.source_id ? await load(ctx, d.source_id).catch(() => undefined) : undefined
  const c = d.customer
  const hasVat = d.vat_rate_bp > 0
  const classes = [
    { kind: 'standard' as const, base: d.net_taxable_agorot, rate: d.vat_rate_bp, vat: d.vat_agorot },
    { kind: 'zero' as const, base: d.net_zero_agorot, rate: 0, vat: 0 },
    { kind: lines.some((l) => l.vat_kind === 3) ? ('deposit' as const) : ('exempt' as const), base: d.net_exempt_agorot },
  ].filter((k) => k.base !== 0)
  return {
    document: {
      type: documentTypeById(d.type)!,
      number: d.number === null ? null : String(d.number),
      date: d.day,
      madeAt: new Date(d.issued_at ?? d.updated_at),
      language: d.language,
      currency: d.currency,
      ...(d.due_day ? { dueDate: d.due_day, terms: termsInWords(d.language, d.due_terms) } : {}),
      ...(d.order_number ? { customerReference: d.order_number } : {}),
      ...(d.subject ? { facts: [{ label: say(d.language, 'documents.fields.subject'), value: d.subject }] } : {}),
      notesAbove: [b.textAbove, d.notes].filter(Boolean).join('\n'),
      notesBelow: [d.notes_below, b.textBelow].filter(Boolean),
      ...(d.allocation_number ? { allocation: { state: 'granted' as const, number: d.allocation_number } } : {}),
      ...(original?.number && d.type === 10
        ? {
            credits: {
              type: documentTypeById(original.type)!,
              number: String(original.number),
              date: original.day,
              reason: d.reason,
              ...(original.allocation_number ? { allocationNumber: original.allocation_number } : {}),
            },
          }
        : {}),
      ...(d.currency !== 'ILS'
        ? {
            exchange: {
              rate: parseDecimal4(Number(d.rate).toFixed(4))!,
              date: d.day,
              beforeVat: d.ils_net_agorot,
              vat: d.ils_vat_agorot,
              total: d.ils_total_agorot,
            },
          }
        : {}),
    },
    lines: lines.map((l) => ({
      name: l.description,
      ...(l.details ? { text: l.details } : {}),
      ...(l.sku ? { sku: l.sku } : {}),
      quantity: parseDecimal4(l.quantity)!,
      ...(l.unit ? { unit: l.unit } : {}),
      unitPrice: parseDecimal4(l.unit_price)!,
      ...(l.discount_bp ? { discount: l.discount_bp } : {}),
      vat: l.vat_kind === 3 ? ('deposit' as const) : l.vat_class,
      total: l.amount_agorot,
    })),
    totals: {
      subtotal: d.subtotal_agorot,
      ...(d.discount_agorot ? { discount: { amount: d.discount_agorot, ...(d.discount_bp ? { rate: d.discount_bp } : {}) } } : {}),
      ...(hasVat
        ? { beforeVat: d.net_taxable_agorot + d.net_exempt_agorot + d.net_zero_agorot, vatRate: d.vat_rate_bp, vat: d.vat_agorot, classes }
        : {}),
      ...(d.rounding_agorot ? { rounding: d.rounding_agorot } : {}),
      total: d.total_agorot,
    },
    business: {
      name: b.name,
      kind: b.kind,
      taxId: b.taxId,
      address: [[b.street, b.zip && b.city ? `${b.city} ${b.zip}` : b.city].filter(Boolean).join(', ')].filter(Boolean),
      ...(b.phone ? { phone: b.phone } : {}),
      ...(b.email ? { email: b.email } : {}),
      ...(b.website ? { website: b.website } : {}),
      ...(logo ? { logo: logo.bytes } : {}),
    },
    ...(c.name
      ? {
          customer: {
            name: c.name,
            ...(c.contact ? { contact: c.contact } : {}),
            address: [c.street, [c.city, c.zip].filter(Boolean).join(' '), c.country].filter((line): line is string => !!line),
            ...(c.taxId
              ? {
                  taxId: {
                    kind: c.isDealer
                      ? ('licensedDealer' as const)
                      : /^5[1-8]/.test(c.taxId)
                        ? ('companyNumber' as const)
                        : ('idNumber' as const),
                    number: c.taxId,
                  },
                }
              : {}),
          },
        }
      : {}),
    settings: {
      layout: b.layout,
      accent: b.accent,
      showPinkas: b.showCreditLine,
      showQr: d.status !== 'draft' && d.open_agorot > 0,
      ...(d.status !== 'draft' ? { payLink: `${ctx.app.publicUrl()}/paymentdoc/${d.page_key}` } : {}),
    },
    variant,
  }
}

/** The sealed file of a variant: made once, then always the same bytes. */
export async function sealedPaper(ctx: Ctx, id: string, variant: Variant): Promise<{ bytes: Uint8Array; document: StoredDocument }> {
  const d = await load(ctx, id)
  const stored = () =>
    sql<{
      gzip: Buffer
    }>`select gzip from document_papers where company_id = ${ctx.companyId} and document_id = ${id} and variant = ${variant}`.execute(
      ctx.tx,
    )
  const known = (await stored()).rows[0]
  if (known) return { bytes: gunzipSync(known.gzip), document: d }

  const signer = await signerOf(ctx)
  const mark = { original: 'original', copy: 'copy', certified: 'certifiedCopy', thermal: 'copy' }[variant] as PaperVariant['mark']
  const at = new Date(d.issued_at!)
  const source = await sourceOf(ctx, d, await loadLines(ctx, id), {
    mark,
    ...(variant === 'thermal' ? { layout: 'slip' as const } : {}),
    seal: { kind: signer.selfMade ? 'plain' : 'secure', by: signer.subject, at },
  })
  const pdf = await documentPdf(paperOf(source))
  const sealed = sealPdf(pdf, signer, {
    name: d.business.name,
    reason: say(d.language, 'documents.sealReason', { number: String(d.number) }),
    at: ctx.now,
  })
  await sql`insert into document_papers (company_id, document_id, variant, gzip, sha256)
    values (${ctx.companyId}, ${id}, ${variant}, ${gzipSync(sealed)}, ${createHash('sha256').update(sealed).digest()}) on conflict do nothing`.execute(
    ctx.tx,
  )
  // When two asked at once, the first one's bytes are the document.
  return { bytes: gunzipSync((await stored()).rows[0]!.gzip), document: d }
}

/** Pictures of the pages, as the customer or the owner looks at them; not a document. */
export async function pictures(ctx: Ctx, d: StoredDocument, lines: StoredLine[]): Promise<string[]> {
  const mark = d.status === 'draft' ? 'draft' : d.status === 'cancelled' ? 'cancelled' : 'plain'
  return documentSvg(paperOf(await sourceOf(ctx, d, lines, { mark })))
}

export const fileName = (d: StoredDocument): string =>
  `${documentTypeById(d.type)}-${d.number ?? 'draft'}-${formatDay(d.day).replaceAll('/', '-')}.pdf`
