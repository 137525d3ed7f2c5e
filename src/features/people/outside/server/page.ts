import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { bytesOf, fileNameOf, loadOutside, type StoredOutside } from './load.ts'

registerBusinessPage('/outsidedoc', {
  owner: (key) =>
    sql`select company_id from outside_documents where page_key = ${key} and archived_at is null`,
  words: 'outsideDocuments.pageFace',
  logo: (key) => `/api2/invoice/outside/${key}/logo`,
})

/** What was put away is shown no more. */
const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, d: StoredOutside) => Promise<T>,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from outside_documents where page_key = ${key} and archived_at is null`,
    async (inside, { id }) => work(inside, await loadOutside(inside, id)),
  )

/** The business that looks at its own page before it sent anything is no customer. */
async function opened(inside: Ctx, d: StoredOutside): Promise<void> {
  if (!d.sentAt) return
  await sql`update outside_documents set opened_at = ${inside.now.toISOString()}
    where company_id = ${inside.companyId} and id = ${d.id}
    and opened_at is null`.execute(inside.tx)
  await sql`update messages set opened_at = ${inside.now.toISOString()} where company_id = ${inside.companyId}
      and outside_id = ${d.id}
    and state in ('sent', 'kept') and opened_at is null`.execute(inside.tx)
}

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, d) => {
    await opened(inside, d)
    const company = await companyOf(inside)
    return {
      ...faceOf(company),
      name: d.name,
      customer: d.customerName ?? '',
      day: dayInJerusalem(new Date(d.sentAt ?? d.createdAt)),
      language: d.language ?? company.language,
      pages: d.pages,
      size: d.size,
    }
  })

export const pagePdf = (
  ctx: OpenCtx,
  { key, inline }: { key: string; inline?: string | undefined },
): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, d) => {
    await opened(inside, d)
    return {
      bytes: await bytesOf(inside, d.id),
      mime: 'application/pdf',
      name: fileNameOf(d.name),
      inline: inline === 'true',
    }
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)
