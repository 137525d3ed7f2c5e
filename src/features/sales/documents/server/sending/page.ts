import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { labelOf } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx, OpenCtx } from '#kit/server/context.ts'
import { isIssued, isPayment } from '#kit/server/data/documentFacts.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage, unknownKey } from '#kit/server/http/pageKeys.ts'
import { transferText } from '#features/base/companies/inLanguage.ts'
import { getLogo, logoOf, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { readFile } from '#features/base/files/server/index.ts'
import { typeById } from '../../types/index.ts'
import { documentFiles } from '../paper/files.ts'
import { isOpeningItem, openingNumber } from '../content/opening.ts'
import { load, loadLines, loadPayments, type StoredDocument } from '../content/load.ts'
import { owedOf } from '../list/owed.ts'
import { drawingOf, fileName, paperForCustomer, sealedPaper, type Variant } from '../paper/papers.ts'

registerBusinessPage('/paymentdoc', {
  owner: (key) => sql`select company_id from documents where page_key = ${key} and ${isIssued()}`,
  words: 'documents.pageFace',
  logo: (key) => `/api2/invoice/page/${key}/logo`,
})

const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, d: StoredDocument) => Promise<T>,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from documents where page_key = ${key} and ${isIssued()}`,
    async (inside, { id }) => work(inside, await load(inside, id)),
  )

const seen = (inside: Ctx, d: StoredDocument) =>
  sql`update documents set viewed_at = coalesce(viewed_at, now()) where company_id = ${inside.companyId}
      and id = ${d.id} and viewed_at is null`.execute(inside.tx)

/** The documents that prove what was paid for it, with what of each went to it; the customer has their pages. */
async function receiptsOf(inside: Ctx, d: StoredDocument) {
  const { rows } = await sql<{
    type: number
    number: number
    day: string
    agorot: number
    key: string
  }>`select m.type, m.number, m.day, sum(x.to_agorot)::bigint as agorot, m.page_key as key
    from settlements x join documents m on m.company_id = x.company_id and m.id = x.from_id
    where x.company_id = ${inside.companyId} and x.to_id = ${d.id} and ${isPayment('m')}
      and ${isIssued('m')} and m.number is not null and m.series not like '%#opening'
      and m.customer_id is not distinct from ${d.customer_id}::uuid
    group by m.id, m.type, m.number, m.day, m.page_key having sum(x.to_agorot) > 0
    order by m.day, m.number`.execute(inside.tx)
  return rows
}

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, d) => {
    await seen(inside, d)
    await sql`update messages set opened_at = coalesce(opened_at, now())
      where company_id = ${inside.companyId} and document_id = ${d.id} and state in ('sent', 'kept')
        and opened_at is null`.execute(inside.tx)
    const b = d.business
    const { rows: named } = await sql<{
      opening: string | null
    }>`select ${openingNumber('d')} as opening from documents d
      where d.company_id = ${inside.companyId} and d.id = ${d.id}`.execute(inside.tx)
    const opening = named[0]?.opening ?? null
    const told = {
      // What was owed before the books began here was issued elsewhere: no details of the business are kept
      // with it.
      business: {
        name: b.name,
        taxId: b.taxId,
        phone: b.phone ?? '',
        email: b.email ?? '',
        bankDetails: transferText(b, b.isPaidFromAbroad === true),
      },
      accent: b.accent,
      hasLogo: !!(await logoOf(inside)),
      type: d.type,
      number: d.number,
      label: labelOf({ type: d.type, subType: d.sub_type, pro: d.pro }),
      opening,
      status: d.status,
      date: d.day,
      dueDate: d.due_day,
      language: d.language,
      currency: d.currency,
      customer: d.customer.name ?? '',
      // It is kept like money of the customer's, so that it is closed like it.
      totalAgorot: opening === null ? d.total_agorot : -d.total_agorot,
      // What a request asks for is paid like what is owed; money on account is not asked for again.
      openAgorot:
        d.open_agorot > 0 || typeById(d.type)?.asks ? (await owedOf(inside, d.id)).ils : d.open_agorot,
      receipts: opening === null ? await receiptsOf(inside, d) : [],
      files: (await documentFiles(inside, d.id))
        .filter(({ shown }) => shown)
        .map(({ id, name, mime, size }) => ({ id, name, mime, size })),
    }
    if (opening !== null) return { ...told, pages: [] }
    const draw = await drawingOf(inside, d, await loadLines(inside, d.id), await loadPayments(inside, d.id))
    return new Later(async () => ({ ...told, pages: await draw() }))
  })

export const pagePdf = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, d) => {
    if (isOpeningItem(d.series)) throw fail('kit.notFound')
    await seen(inside, d)
    const { bytes, document } = await paperForCustomer(inside, d.id)
    return { bytes, mime: 'application/pdf', name: fileName(document) }
  })

/**
 * The person who has the customer's page cannot work out the address of a certified copy from it: that one the
 * business hands on.
 */
const proofOf = (app: App, key: string, variant: Variant): string =>
  createHmac('sha256', app.secrets.mac).update(`paper:${variant}:${key}`).digest('base64url').slice(0, 27)

/** Where a variant of a paper opens for the person who has its address, as programs hand it on. */
export const paperLink = (app: App, key: string, variant: Variant): string =>
  new URL(`/api2/invoice/page/${key}/paper/${variant}/${proofOf(app, key, variant)}`, app.publicUrl()).href

export async function pagePaper(
  ctx: OpenCtx,
  { key, variant, proof }: { key: string; variant: Variant; proof: string },
): Promise<FileAnswer> {
  const wanted = Buffer.from(proofOf(ctx.app, key, variant))
  const given = Buffer.from(proof)
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return unknownKey(ctx)
  return byKey(ctx, key, async (inside, d) => {
    const { bytes, document } = await sealedPaper(inside, d.id, variant)
    return { bytes, mime: 'application/pdf', name: fileName(document), inline: true }
  })
}

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

/** A file beside the document; only what the business shows there. */
export const pageFile = (
  ctx: OpenCtx,
  { key, fileId }: { key: string; fileId: string },
): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, d) => {
    if (!(await documentFiles(inside, d.id)).some(({ id, shown }) => id === fileId && shown))
      throw fail('kit.notFound')
    return readFile(inside, fileId)
  })
