import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { labelOf } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx, OpenCtx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/implement.ts'
import { openPage, unknownKey } from '#kit/server/pageKeys.ts'
import { getLogo, logoOf, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { readFile } from '#features/base/files/server/index.ts'
import { typeById } from '../../types/index.ts'
import { documentFiles } from '../paper/files.ts'
import { isOpeningItem, openingNumber } from '../content/opening.ts'
import { load, loadLines, loadPayments, type StoredDocument } from '../content/load.ts'
import { drawingOf, fileName, paperForCustomer, sealedPaper, type Variant } from '../paper/papers.ts'

registerBusinessPage('/paymentdoc', {
  owner: (key) => sql`select company_id from documents where page_key = ${key} and status <> 'draft'`,
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
    sql<{ company_id: string; id: string }>`select company_id, id from documents
      where page_key = ${key} and status <> 'draft'`,
    async (inside, { id }) => work(inside, await load(inside, id)),
  )

const seen = (inside: Ctx, d: StoredDocument) =>
  sql`update documents set viewed_at = coalesce(viewed_at, now()) where company_id = ${inside.companyId}
      and id = ${d.id} and viewed_at is null`.execute(inside.tx)

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, d) => {
    await seen(inside, d)
    await sql`update messages set opened_at = coalesce(opened_at, now())
      where company_id = ${inside.companyId} and document_id = ${d.id} and state in ('sent', 'kept')
        and opened_at is null`.execute(inside.tx)
    const b = d.business
    const { rows: named } = await sql<{ opening: string | null }>`select ${openingNumber('d')} as opening
      from documents d
      where d.company_id = ${inside.companyId} and d.id = ${d.id}`.execute(inside.tx)
    const opening = named[0]?.opening ?? null
    const told = {
      business: { name: b.name, taxId: b.taxId, phone: b.phone, email: b.email, bankDetails: b.bankDetails },
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
      // What a request asks for is paid like what is owed.
      openAgorot: typeById(d.type)?.asks ? d.asked_agorot : d.open_agorot,
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

/** Whoever has the customer's page cannot work out the address of a certified copy from it: that one the business hands on. */
const proofOf = (app: App, key: string, variant: Variant): string =>
  createHmac('sha256', app.secrets.vault).update(`paper:${variant}:${key}`).digest('base64url').slice(0, 27)

/** Where a variant of a paper opens for whoever has its address, as programs hand it on. */
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
