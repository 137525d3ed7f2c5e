import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { documentTypeById, labelOf, paymentMeansById, type PaperLabel } from '#domain/documents/kinds.ts'
import { sum } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import { say } from '#kit/server/words.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { logoOf, signerOf } from '#features/base/companies/server/index.ts'
import {
  load,
  loadLines,
  loadPayments,
  plainDecimal,
  standing,
  type StoredDocument,
  type StoredLine,
  type StoredPayment,
} from '../content/load.ts'
import {
  isOpeningItem,
  nameOfPaper,
  openingNumber,
  paperLabel,
  typeOfPaper,
  type NamedPaper,
} from '../content/opening.ts'
import { typeById } from '../../types/index.ts'
import { termsShown } from '../../workOut.ts'
import { takesOnline } from './online.ts'
import { paperOf } from './paperOf.ts'
import { documentPdf, documentSvg } from './render.ts'
import { signatureOf } from './signature.ts'
import type { PaperSource, PaperVariant, SourcePayments } from './source.ts'

export type Variant = 'original' | 'copy' | 'certified' | 'thermal'

/** Terms of payment in words: 'שוטף + 30'. */
const termsInWords = (language: StoredDocument['language'], terms: string): string => {
  const [kind = 'now', days = '0'] = terms.split(':')
  return say(language, `documents.terms.${kind}`, { days: Number(days) })
}

/** The terms of payment in words, where the due date follows from them. */
export function termsOnPaper(d: StoredDocument): { terms?: string } {
  const terms = termsShown(d.day, d.due_day, d.due_terms)
  return terms === null ? {} : { terms: termsInWords(d.language, terms) }
}

/** The label its sub-type or its pro flag gives a stored paper. */
export const labelOfStored = (d: StoredDocument): PaperLabel | null =>
  labelOf({ type: d.type, subType: d.sub_type, pro: d.pro })

/** What a paper is called at its own head, for the person who writes about it. */
export const titleOf = (d: StoredDocument): string =>
  say(d.language, `paper.title.${labelOfStored(d) ?? documentTypeById(d.type)}`)

/** How it was paid and what that closed, in words and amounts of its currency. */
async function paymentsOf(
  ctx: Ctx,
  d: StoredDocument,
  payments: StoredPayment[],
): Promise<SourcePayments | undefined> {
  if (!payments.length) return undefined
  const isWithheld = (y: StoredPayment) => paymentMeansById(y.means) === 'withheldTax'
  const received = sum(payments.filter((y) => !isWithheld(y)).map((y) => y.amount_agorot))
  const withheld = sum(payments.filter(isWithheld).map((y) => y.amount_agorot))
  const { rows: closes } = await sql<NamedPaper & { day: string; total: number; paid: number }>`
    select o.type, o.number, ${paperLabel('o')} as label, ${openingNumber('o')} as opening, o.day, case
      when o.series like '%#opening' then -o.total_agorot else o.total_agorot end as total, x.agorot as paid
      from (
      select x.to_id as id, sum(x.from_agorot)::bigint as agorot from settlements x
      where x.company_id = ${ctx.companyId} and x.from_id = ${d.id} and ${standing} group by 1
      union all select request_id, sum(agorot)::bigint from asked_payments where company_id = ${ctx.companyId}
        and document_id = ${d.id} group by 1 having sum(agorot) <> 0
    ) x join documents o on o.company_id = ${ctx.companyId} and o.id = x.id order by o.day, o.number`.execute(
    ctx.tx,
  )
  return {
    rows: payments
      .filter((y) => !isWithheld(y))
      .map((y) => ({
        means: paymentMeansById(y.means)!,
        amount: y.amount_agorot,
        due: y.due_day,
        ...(y.bank ? { bank: y.bank } : {}),
        ...(y.branch ? { branch: y.branch } : {}),
        ...(y.account ? { account: y.account } : {}),
        ...(y.number || y.reference ? { number: y.number || y.reference } : {}),
        ...(y.means === 4 && (y.card_brand || y.card_last4)
          ? {
              card: {
                brand: brandWord(y.card_brand, (key) => say(d.language, key)),
                lastDigits: y.card_last4,
                ...(y.instalments ? { instalments: y.instalments } : {}),
              },
            }
          : {}),
      })),
    received,
    ...(withheld ? { withheld: { amount: withheld } } : {}),
    credited: received + withheld,
    ...(closes.length
      ? {
          closes: closes.map((c) => ({
            document: nameOfPaper(d.language, c),
            date: c.day,
            total: c.total,
            paid: c.paid,
          })),
        }
      : {}),
  }
}

async function sourceOf(
  ctx: Ctx,
  d: StoredDocument,
  lines: StoredLine[],
  payments: StoredPayment[],
  variant: PaperVariant,
): Promise<PaperSource> {
  const money = await paymentsOf(ctx, d, payments)
  const sources = await sourcesOf(ctx, d, lines)
  const canceller = d.cancelled_by_id ? await load(ctx, d.cancelled_by_id).catch(() => undefined) : undefined
  const b = d.business
  const logo = await logoOf(ctx)
  const signature = await signatureOf(ctx)
  const original = d.source_id ? await load(ctx, d.source_id).catch(() => undefined) : undefined
  const c = d.customer
  const hasVat = d.vat_rate_bp > 0
  const held = sum(lines.filter((l) => l.vat_kind === 3).map((l) => l.net_agorot))
  const classes = [
    { kind: 'standard' as const, base: d.net_taxable_agorot, rate: d.vat_rate_bp, vat: d.vat_agorot },
    { kind: 'zero' as const, base: d.net_zero_agorot, rate: 0, vat: 0 },
    { kind: 'exempt' as const, base: d.net_exempt_agorot - held },
    { kind: 'deposit' as const, base: held },
  ].filter((k) => k.base !== 0)
  return {
    document: {
      type: documentTypeById(d.type)!,
      ...(labelOfStored(d) ? { titleKey: labelOfStored(d)! } : {}),
      number: d.number === null ? null : String(d.number),
      date: d.day,
      madeAt: new Date(d.issued_at ?? d.updated_at),
      language: d.language,
      currency: d.currency,
      ...(d.due_day ? { dueDate: d.due_day, ...termsOnPaper(d) } : {}),
      ...(d.valid_until ? { [typeById(d.type)?.promises ? 'wantedBy' : 'validUntil']: d.valid_until } : {}),
      ...(sources.length ? { sources } : {}),
      ...(canceller?.number ? { cancelledBy: String(canceller.number) } : {}),
      ...((await lacksInputVat(ctx, d)) ? { allocation: { state: 'refused' as const } } : {}),
      ...(d.order_number ? { customerReference: d.order_number } : {}),
      ...(d.deliver_to ? { deliverTo: placeOn(d.deliver_to) } : {}),
      ...(d.subject
        ? { facts: [{ label: say(d.language, 'documents.fields.subject'), value: d.subject }] }
        : {}),
      notesAbove: [b.textAbove, d.notes].filter(Boolean).join('\n'),
      notesBelow: [d.notes_below, b.textBelow].filter(Boolean),
      ...(d.donation_number ? { donationNumber: d.donation_number } : {}),
      ...(b.section46Text ? { section46: b.section46Text } : {}),
      ...(d.allocation_number
        ? { allocation: { state: 'granted' as const, number: d.allocation_number } }
        : {}),
      ...(original?.number && typeFacts(d.type).isCredit
        ? {
            credits: {
              type: documentTypeById(original.type)!,
              number: String(original.number),
              date: original.day,
              reason: d.reason,
              ...(original.credited_agorot < original.total_agorot
                ? { left: original.total_agorot - original.credited_agorot }
                : {}),
              ...(original.allocation_number ? { allocationNumber: original.allocation_number } : {}),
            },
          }
        : {}),
      ...(money && d.total_agorot < 0 ? { givesBack: { reason: d.reason } } : {}),
      grounds: [
        ...(d.net_zero_agorot !== 0 && d.zero_ground ? [d.zero_ground] : []),
        ...(d.net_exempt_agorot !== held && d.exempt_ground ? [d.exempt_ground] : []),
      ],
      // The amounts in shekels of a document with VAT are what its VAT is reported by.
      ...(d.currency !== 'ILS' && !(d.hides_ils && d.vat_agorot === 0)
        ? {
            exchange: {
              rate: plainDecimal(d.rate),
              ...(d.rate_source ? { source: d.rate_source } : {}),
              date: d.rate_day,
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
      ...(l.discount_sum_agorot ? { discountSum: l.discount_sum_agorot } : {}),
      vat: l.vat_kind === 3 ? ('deposit' as const) : l.vat_class,
      total: l.amount_agorot,
    })),
    ...(money ? { payments: money } : {}),
    totals: {
      subtotal: d.subtotal_agorot,
      ...(d.discount_agorot
        ? { discount: { amount: d.discount_agorot, ...(d.discount_bp ? { rate: d.discount_bp } : {}) } }
        : {}),
      ...(hasVat
        ? {
            beforeVat: d.net_taxable_agorot + d.net_exempt_agorot + d.net_zero_agorot,
            vatRate: d.vat_rate_bp,
            vat: d.vat_agorot,
            classes,
          }
        : {}),
      ...(d.rounding_agorot ? { rounding: d.rounding_agorot } : {}),
      total: d.total_agorot,
    },
    business: {
      name: b.name,
      ...((await inTestBusiness(ctx)) ? { isTest: true } : {}),
      kind: b.kind,
      taxId: b.taxId,
      address: [
        [b.street, b.zip && b.city ? `${b.city} ${b.zip}` : b.city].filter(Boolean).join(', '),
      ].filter(Boolean),
      ...(b.phone ? { phone: b.phone } : {}),
      ...(b.email ? { email: b.email } : {}),
      ...(b.website ? { website: b.website } : {}),
      ...(b.bankDetails ? { bankDetails: b.bankDetails } : {}),
      ...(b.isPaidFromAbroad && b.iban ? { iban: b.iban } : {}),
      ...(b.isPaidFromAbroad && b.swift ? { swift: b.swift } : {}),
      ...(logo ? { logo: logo.bytes } : {}),
      ...(signature ? { signature } : {}),
    },
    ...(c.name
      ? {
          customer: {
            name: c.name,
            ...(c.contact ? { contact: c.contact } : {}),
            address: [c.street, [c.city, c.zip].filter(Boolean).join(' '), c.country].filter(
              (line): line is string => !!line,
            ),
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
      brandName: brandHere()?.name,
      showQr: statusFacts(d.status).isIssued && d.open_agorot > 0,
      ...(statusFacts(d.status).isIssued && (await takesOnline(ctx))
        ? { payLink: `${siteOf(ctx.app)}/paymentdoc/${d.page_key}` }
        : {}),
    },
    variant,
  }
}

/** Where the goods go, line by line, and what the driver should know. */
const placeOn = (place: NonNullable<StoredDocument['deliver_to']>): string[] =>
  [
    place.name,
    place.street,
    [place.city, place.zip].filter(Boolean).join(' '),
    place.country,
    [place.contact, place.phone].filter(Boolean).join(', '),
    place.notes,
  ].filter(Boolean)

/** The documents it was created from, in words; a credit has a separate panel for them. */
async function sourcesOf(ctx: Ctx, d: StoredDocument, lines: StoredLine[]): Promise<string[]> {
  const ids = [
    ...new Set([...(d.source_id ? [d.source_id] : []), ...lines.flatMap((l) => l.source_document_id ?? [])]),
  ]
  if (!ids.length || typeFacts(d.type).isCredit) return []
  const { rows } = await sql<{
    type: number
    number: number
    label: PaperLabel | null
  }>`select type, number, ${paperLabel('documents')} as label from documents
    where company_id = ${ctx.companyId} and id = any(${ids}::uuid[]) and number is not null
    order by day, number`.execute(ctx.tx)
  return rows.map((r) => `${typeOfPaper(d.language, r.type, r.label)} ${r.number}`)
}

/**
 * Whether the paper says that its input VAT may not be deducted: only once the business chose to let it stand
 * without a number.
 */
async function lacksInputVat(ctx: Ctx, d: StoredDocument): Promise<boolean> {
  if (d.allocation_state !== 'refused') return false
  const { rows } = await sql<{ decision: string }>`select decision from allocation_requests
    where company_id = ${ctx.companyId} and document_id = ${d.id}`.execute(ctx.tx)
  return rows[0]?.decision === 'continue'
}

/** The authority's answer, as far as it is printed. */
const answerOn = async (ctx: Ctx, d: StoredDocument): Promise<string> =>
  d.allocation_number ?? d.donation_number ?? ((await lacksInputVat(ctx, d)) ? 'refused' : '')

const sealWords = (ctx: Ctx, d: StoredDocument) => ({
  name: d.business.name,
  reason: say(d.language, 'documents.sealReason', { number: String(d.number) }),
  at: ctx.now,
})

/** Variants that customers are given (`paperForCustomer`), of which pages show a picture. */
const isShown = (variant: Variant): boolean => variant === 'original' || variant === 'certified'

/**
 * The sealed file of a variant: made once, then always the same bytes. There is one original for ever, with
 * what was known when it was made; of a copy there is another one once the authority has answered.
 */
export async function sealedPaper(
  ctx: Ctx,
  id: string,
  variant: Variant,
): Promise<{ bytes: Uint8Array; document: StoredDocument }> {
  const d = await load(ctx, id)
  // What was owed before the books began has its paper elsewhere.
  if (isOpeningItem(d.series)) throw fail('kit.notFound')
  const about = await answerOn(ctx, d)
  const stored = () =>
    sql<{
      gzip: Buffer
    }>`select gzip from document_papers where company_id = ${ctx.companyId} and document_id = ${id}
        and variant = ${variant}
      ${variant === 'original' ? sql`` : sql`and about = ${about}`} order by created_at, about
      limit 1`.execute(ctx.tx)
  const known = (await stored()).rows[0]
  if (known) return { bytes: gunzipSync(known.gzip), document: d }

  // Only one may make the original: the loser of two with different answers must not keep a second one.
  if (variant === 'original') {
    await sql`select
        pg_advisory_xact_lock(hashtextextended(${`original ${ctx.companyId} ${id}`}, 0))`.execute(ctx.tx)
    const meanwhile = (await stored()).rows[0]
    if (meanwhile) return { bytes: gunzipSync(meanwhile.gzip), document: d }
  }
  const signer = await signerOf(ctx)
  const mark = { original: 'original', copy: 'copy', certified: 'certifiedCopy', thermal: 'copy' }[
    variant
  ] as PaperVariant['mark']
  const at = new Date(d.issued_at!)
  const source = await sourceOf(ctx, d, await loadLines(ctx, id), await loadPayments(ctx, id), {
    mark,
    ...(variant === 'thermal' ? { layout: 'slip' as const } : {}),
    seal: { kind: signer.selfMade ? 'plain' : 'secure', by: signer.subject, at },
  })
  const pdf = await documentPdf(paperOf(source))
  const sealed = sealPdf(pdf, signer, sealWords(ctx, d))
  // What pages show of it: the same without the mark, for a picture is no original.
  const drawing = isShown(variant)
    ? gzipSync(JSON.stringify(await documentSvg(paperOf({ ...source, variant: { mark: 'plain' } }))))
    : null
  await sql`insert into document_papers (company_id, document_id, variant, about, gzip, sha256, drawing)
    values (${ctx.companyId}, ${id}, ${variant}, ${about}, ${gzipSync(sealed)},
      ${createHash('sha256').update(sealed).digest()}, ${drawing}) on conflict do nothing`.execute(ctx.tx)
  // When two asked at once, the first one's bytes are the document.
  return { bytes: gunzipSync((await stored()).rows[0]!.gzip), document: d }
}

/**
 * The paper as a PDF/A-3 certified copy with what `extend` puts into it, sealed last. Made again each time and
 * not kept: the one original is that of `sealedPaper`.
 */
export async function extendedPaper(
  ctx: Ctx,
  id: string,
  extend: (pdf: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  const d = await load(ctx, id)
  const signer = await signerOf(ctx)
  const source = await sourceOf(ctx, d, await loadLines(ctx, id), await loadPayments(ctx, id), {
    mark: 'certifiedCopy',
    seal: { kind: signer.selfMade ? 'plain' : 'secure', by: signer.subject, at: new Date(d.issued_at!) },
  })
  return sealPdf(extend(await documentPdf(paperOf(source), { standard: 'a-3b' })), signer, sealWords(ctx, d))
}

/** A copy of an issued paper without a seal, for what is put onto it and sealed later. */
export async function unsealedPaper(
  ctx: Ctx,
  id: string,
): Promise<{ bytes: Uint8Array; document: StoredDocument }> {
  const d = await load(ctx, id)
  const source = await sourceOf(ctx, d, await loadLines(ctx, id), await loadPayments(ctx, id), {
    mark: 'copy',
  })
  return { bytes: await documentPdf(paperOf(source)), document: d }
}

/**
 * What a customer is given: the original, or, when the authority answered after it was made, the certified
 * copy that says so.
 */
export async function paperForCustomer(
  ctx: Ctx,
  id: string,
): Promise<{ bytes: Uint8Array; document: StoredDocument }> {
  const { rows } = await sql<{
    about: string
  }>`select about from document_papers where company_id = ${ctx.companyId} and document_id = ${id}
    and variant = 'original'`.execute(ctx.tx)
  const isBehind = rows[0] && rows[0].about !== (await answerOn(ctx, await load(ctx, id)))
  return sealedPaper(ctx, id, isBehind ? 'certified' : 'original')
}

/** The picture that was drawn with the sealed file a customer is given; undefined before it was sealed. */
async function drawnWhenSealed(ctx: Ctx, d: StoredDocument): Promise<string[] | undefined> {
  const about = await answerOn(ctx, d)
  const { rows } = await sql<{ drawing: Buffer | null; about: string }>`select drawing, about
    from document_papers where company_id = ${ctx.companyId} and document_id = ${d.id}
      and variant in ('original', 'certified')
    order by about = ${about} desc, variant desc, created_at limit 1`.execute(ctx.tx)
  const [row] = rows
  // What the authority answered since is on a copy that nobody asked for yet.
  if (!row?.drawing || row.about !== about) return undefined
  return JSON.parse(gunzipSync(row.drawing).toString()) as string[]
}

/**
 * Reads what the pages show, as the customer or the owner looks at them; what is answered draws them. They
 * are no document. Of a sealed one that is the picture made with it, whatever changed in the business since.
 */
export async function drawingOf(
  ctx: Ctx,
  d: StoredDocument,
  lines: StoredLine[],
  payments: StoredPayment[],
): Promise<() => Promise<string[]>> {
  const mark = statusFacts(d.status).isDraft
    ? 'draft'
    : statusFacts(d.status).isCancelled
      ? 'cancelled'
      : 'plain'
  const sealed = mark === 'plain' ? await drawnWhenSealed(ctx, d) : undefined
  if (sealed) return () => Promise.resolve(sealed)
  const paper = paperOf(await sourceOf(ctx, d, lines, payments, { mark }))
  return () => documentSvg(paper)
}

/** Signs that file systems or mail programs refuse in names, and marks of direction, which hide in them. */
const notInNames = /[\\/:*?"<>|\p{Cc}]+/gu
const unseen = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name that is not taken yet among files that lie together: branches have documents of the same number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let n = 2; isTaken(free); n++) free = name.replace(/(?=\.\w+$)/, ` (${n})`)
  return free
}

/** The file by the names people know: 'Tax invoice 12 – Aluma.pdf'. */
export const fileName = (d: StoredDocument): string => {
  const business = [...d.business.name].slice(0, 60).join('')
  const name = [[titleOf(d), d.number].filter(Boolean).join(' '), business].filter(Boolean).join(' – ')
  return `${name.replace(unseen, '').replace(notInNames, '-').replace(/\s+/g, ' ').trim()}.pdf`
}
