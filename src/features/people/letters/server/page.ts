import { sql } from 'kysely'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { addressees } from '#features/people/correspondence/server/index.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { letterSvg } from '#features/sales/documents/server/index.ts'
import { sealedLetter, sentLetter, sourceOf } from './paper.ts'

registerBusinessPage('/letterdoc', {
  owner: (key) => sql`select company_id from letters where page_key = ${key}`,
  words: 'letters.pageFace',
  logo: (key) => `/api2/invoice/letter/${key}/logo`,
})

/** The address of a letter's page. */
export const pageUrl = (ctx: Ctx, key: string): string => `${siteOf(ctx.app)}/letterdoc/${key}`

const byKey = <T>(ctx: OpenCtx, key: string, work: (inside: Ctx, id: string) => Promise<T>): Promise<T> =>
  openPage(
    ctx,
    sql<{ company_id: string; id: string }>`select company_id, id from letters where page_key = ${key}`,
    (inside, { id }) => work(inside, id),
  )

const opened = (inside: Ctx, id: string) =>
  sql`update messages set opened_at = ${inside.now.toISOString()} where company_id = ${inside.companyId}
      and letter_id = ${id}
    and state in ('sent', 'kept') and opened_at is null`.execute(inside.tx)

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, id) => {
    await opened(inside, id)
    const letter = await sentLetter(inside, id)
    const [customer] = await addressees(inside, [letter.customerId])
    const source = await sourceOf(
      inside,
      { ...letter, madeAt: new Date(letter.sentAt), isDraft: false },
      customer,
    )
    const face = faceOf(await companyOf(inside))
    return new Later(async () => ({
      ...face,
      title: letter.title,
      customer: customer?.nameOnDocument || customer?.name || '',
      day: letter.day,
      language: letter.language,
      pages: await letterSvg(source),
    }))
  })

export const pagePdf = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, id) => {
    await opened(inside, id)
    const { bytes, letter } = await sealedLetter(inside, id)
    return { bytes, mime: 'application/pdf', name: `letter-${letter.day}.pdf` }
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)
