import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import { say } from '#kit/server/words.ts'
import { addressees, type Addressee } from '#features/people/correspondence/server/index.ts'
import { companyOf, logoOf, signerOf, businessOnPaper } from '#features/base/companies/server/index.ts'
import { letterPdf, signatureOf, type LetterSource } from '#features/sales/documents/server/index.ts'
import { addressOf } from './fields.ts'

export interface Written {
  language: Language
  day: Day
  madeAt: Date
  title: string
  body: string
  signed: boolean
  isDraft: boolean
}

/** What the paper of a letter is made of. */
export async function sourceOf(
  ctx: Ctx,
  written: Written,
  customer: Addressee | undefined,
  seal?: LetterSource['seal'],
): Promise<LetterSource> {
  const company = await companyOf(ctx)
  const logo = await logoOf(ctx)
  const signature = written.signed ? await signatureOf(ctx) : undefined
  const { signed: _, ...words } = written
  return {
    ...words,
    ...(seal ? { seal } : {}),
    business: {
      ...((await inTestBusiness(ctx)) ? { isTest: true } : {}),
      ...businessOnPaper(company, logo, written.language),
      ...(signature ? { signature } : {}),
    },
    ...(customer
      ? {
          customer: {
            name: customer.nameOnDocument || customer.name,
            ...(customer.contact ? { contact: customer.contact } : {}),
            address: addressOf(customer),
          },
        }
      : {}),
    settings: {
      layout: company.layout,
      accent: company.accent,
      showPinkas: company.showCreditLine,
      brandName: brandHere()?.name,
    },
  }
}

export interface SentLetter {
  id: string
  title: string
  body: string
  language: Language
  signed: boolean
  day: Day
  sentAt: string
  customerId: string
  namesSums: boolean
}

/** One letter that was sent; 'not found' where it contains amounts the caller may not see. */
export async function sentLetter(ctx: Ctx, id: string): Promise<SentLetter> {
  const { rows } = await sql<SentLetter>`select id, title, body, language, signed, day, sent_at as "sentAt",
        customer_id as "customerId", names_sums as "namesSums"
    from letters where company_id = ${ctx.companyId} and id = ${id} and status = 'sent'`.execute(ctx.tx)
  const letter = rows[0]
  if (!letter || (letter.namesSums && ctx.caller.hideTotalPrices)) throw fail('kit.notFound')
  return letter
}

/**
 * The sealed file of a letter that was sent: made once, by the person who needs it first, and then always the same
 * bytes.
 */
export async function sealedLetter(ctx: Ctx, id: string): Promise<{ bytes: Uint8Array; letter: SentLetter }> {
  const letter = await sentLetter(ctx, id)
  const stored = async () =>
    (
      await sql<{
        gzip: Buffer
      }>`select gzip from letter_files where company_id = ${ctx.companyId} and letter_id = ${id}`.execute(
        ctx.tx,
      )
    ).rows[0]
  const known = await stored()
  if (known) return { bytes: gunzipSync(known.gzip), letter }
  const signer = await signerOf(ctx)
  const [customer] = await addressees(ctx, [letter.customerId])
  const at = new Date(letter.sentAt)
  const source = await sourceOf(ctx, { ...letter, madeAt: at, isDraft: false }, customer, {
    kind: signer.selfMade ? 'plain' : 'secure',
    by: signer.subject,
    at,
  })
  const { name } = source.business
  const sealed = sealPdf(await letterPdf(source), signer, {
    name,
    reason: say(letter.language, 'letters.sealReason'),
    at: ctx.now,
  })
  await sql`insert into letter_files (company_id, letter_id, gzip, sha256)
    values (${ctx.companyId}, ${id}, ${gzipSync(sealed)}, ${createHash('sha256').update(sealed).digest()})
    on conflict do nothing`.execute(ctx.tx)
  // When two asked at once, the first one's bytes are the letter.
  return { bytes: gunzipSync((await stored())!.gzip), letter }
}
