import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import { asCaller, systemCaller, type Ctx, type OpenCtx } from '../../../kit/server/context.ts'
import type { FileAnswer } from '../../../kit/server/implement.ts'
import { throttle } from '../../../kit/server/throttle.ts'
import { companyOf, logoOf } from '../../companies/server/index.ts'
import { letterSvg } from '../../documents/server/index.ts'
import { addressees } from './fields.ts'
import { sealedLetter, sentLetter, sourceOf } from './paper.ts'

/** The address of a letter's page. */
export const pageUrl = (ctx: Ctx, key: string): string => `${ctx.app.publicUrl()}/letterdoc/${key}`

/** Opens the page of a key; a key has 256 random bits, and guessing is throttled all the same. */
async function byKey<T>(ctx: OpenCtx, key: string, work: (inside: Ctx, id: string) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ company_id: string; id: string }>`select company_id, id from letters where page_key = ${key}`.execute(ctx.tx)
  if (!rows[0]) {
    await throttle(ctx.app, `page:${ctx.address}`, 60)
    throw fail('kit.notFound')
  }
  return asCaller(ctx.app, systemCaller(rows[0].company_id), ctx.address, (inside) => work(inside, rows[0]!.id))
}

const opened = (inside: Ctx, id: string) =>
  sql`update messages set opened_at = ${inside.now.toISOString()} where company_id = ${inside.companyId} and letter_id = ${id}
    and state in ('sent', 'kept') and opened_at is null`.execute(inside.tx)

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, id) => {
    await opened(inside, id)
    const company = await companyOf(inside)
    const letter = await sentLetter(inside, id)
    const [customer] = await addressees(inside, [letter.customerId])
    return {
      business: { name: company.name, taxId: company.taxId, phone: company.phone ?? '', email: company.email ?? '' },
      accent: company.accent,
      hasLogo: company.hasLogo,
      title: letter.title,
      customer: customer?.nameOnDocument || customer?.name || '',
      day: letter.day,
      language: letter.language,
      pages: await letterSvg(await sourceOf(inside, { ...letter, madeAt: new Date(letter.sentAt), isDraft: false }, customer)),
    }
  })

export const pagePdf = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, id) => {
    await opened(inside, id)
    const { bytes, letter } = await sealedLetter(inside, id)
    return { bytes, mime: 'application/pdf', name: `letter-${letter.day}.pdf` }
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside) => {
    const logo = await logoOf(inside)
    if (!logo) throw fail('kit.notFound')
    return { ...logo, name: 'logo', inline: true }
  })
