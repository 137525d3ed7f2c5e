import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { addressees, addressesOf, type Addressee } from '#features/people/correspondence/server/index.ts'
import { aboutDocument, filled, refuseUnknown } from './fields.ts'
import { draftOf } from './drafts.ts'
import { pageUrl } from './page.ts'
import { sealedLetter } from './paper.ts'

/**
 * Turns a draft into letters: one to each customer, with the customer's details and in the customer's language.
 * Customers without an email address stay in the draft; when none stays, the draft is deleted. The PDFs are created
 * and sent after the commit.
 */
export async function dispatch(
  ctx: Ctx,
  { id, way, to }: { id: string; way: 'mail' | 'print'; to?: string | undefined },
) {
  const draft = await draftOf(ctx, id, true)
  if (!draft.customerIds.length) throw failField('customerIds', 'letters.nobody')
  if (!draft.body.trim()) throw failField('body', 'letters.empty')
  if (!draft.title.trim()) throw failField('title', 'fields.need')
  if (to && draft.customerIds.length > 1) throw failField('to', 'fields.unknown', { keys: 'to' })
  refuseUnknown(draft, draft.documentId !== null)
  const document = await aboutDocument(ctx, draft.documentId)
  const people = await addressees(ctx, draft.customerIds)
  if (document) await refuseAnothers(ctx, document.customer_id, people)
  const company = await companyOf(ctx)
  const sent: string[] = []
  const without: { id: string; name: string }[] = []
  for (const customer of people) {
    const recipient =
      way === 'print' ? undefined : (to ?? customer.email ?? (await addressesOf(ctx, customer))[0])
    if (way === 'mail' && !recipient) {
      without.push({ id: customer.id, name: customer.name })
      continue
    }
    const language = draft.language ?? customer.language
    const { title, body, namesSums } = await filled(ctx, draft, customer, language, document)
    refuseUnprintable({ title, body, customerIds: customer.name })
    const letterId = newId()
    const pageKey = recipient ? newToken() : null
    await sql`insert into letters (company_id, id, status, title, body, language, customer_id, document_id,
        signed, names_sums, day, sent_at, page_key, created_by)
      values (${ctx.companyId}, ${letterId}, 'sent', ${title}, ${body}, ${language}, ${customer.id},
        ${draft.documentId}, ${draft.signed},
        ${namesSums}, ${ctx.today}, ${ctx.now.toISOString()}, ${pageKey}, ${ctx.caller.userId})`.execute(
      ctx.tx,
    )
    if (recipient && pageKey) {
      const messageId = newId()
      const words = { business: company.name, customer: customer.name, link: pageUrl(ctx, pageKey) }
      await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
          letter_id, created_by)
        values (${ctx.companyId}, ${messageId}, 'writtenLetter', 'mail', ${recipient}, ${title},
          ${say(language, 'letters.mail.text', words)}, ${customer.id},
          ${letterId}, ${ctx.caller.userId})`.execute(ctx.tx)
      await ctx.later('letters.sealed', { messageId, letterId })
    } else await ctx.later('letters.seal', { letterId })
    await ctx.audit('letters.send', 'letters', letterId, undefined, {
      customer: customer.name,
      ...(recipient ? { to: recipient } : {}),
    })
    sent.push(letterId)
  }
  if (!sent.length) return { sent, without }
  if (without.length)
    await sql`update letters set customer_ids = ${without.map((one) => one.id)}::uuid[], updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  else await sql`delete from letters where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return { sent, without }
}

/** A document's number and sum are for its own customer. */
async function refuseAnothers(ctx: Ctx, owner: string | null, people: Addressee[]): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select coalesce(merged_into, id) as id from parties where company_id = ${ctx.companyId}
      and id = ${owner}`.execute(ctx.tx)
  const [one, ...others] = people
  if (others.length || !one || (one.mergedInto ?? one.id) !== rows[0]?.id)
    throw failField('documentId', 'letters.documentOfAnother')
}

/** Seals and mails. */
export const mailLetter: Job = (ctx, { messageId, letterId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const { bytes } = await sealedLetter(ctx, String(letterId))
    return {
      from: await companyOf(ctx),
      attachments: [{ filename: 'letter.pdf', content: Buffer.from(bytes), contentType: 'application/pdf' }],
    }
  })

/** A letter that is printed is sealed all the same. */
export const sealLetter: Job = async (ctx, { letterId }) => void (await sealedLetter(ctx, String(letterId)))
