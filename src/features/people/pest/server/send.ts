import { sql } from 'kysely'
import { whatsAppLink } from '#domain/phone.ts'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { certificate } from './certificate.ts'
import { mailTo, toldTo, type Ready } from './receiver.ts'

interface Receiver {
  customerId: string
  name: string
  email: string | null
  mobile: string | null
  language: Language | null
  number: number
  site: string
  key: string
}

/** To whom the certificate goes; it is made and sealed first where it was not yet. */
async function receiverOf(ctx: Ctx, id: string): Promise<Receiver> {
  await certificate(ctx, { id })
  const { rows } =
    await sql<Receiver>`select p.id as "customerId", p.name, p.email, coalesce(p.mobile, p.phone) as mobile,
        p.language, t.number, s.name as site, c.page_key as key
    from pest_treatments t join pest_sites s on s.company_id = t.company_id and s.id = t.site_id
      join parties p on p.company_id = s.company_id and p.id = s.customer_id
      join pest_certificates c on c.company_id = t.company_id and c.treatment_id = t.id
    where t.company_id = ${ctx.companyId} and t.id = ${id} and t.archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** To whom and in which words a certificate would go. */
export const sendingOf = async (ctx: Ctx, { id }: { id: string }) => toldTo(ctx, await readyOf(ctx, id))

async function readyOf(ctx: Ctx, id: string): Promise<Ready> {
  const of = await receiverOf(ctx, id)
  const company = await companyOf(ctx)
  const language = of.language ?? company.language
  const link = `${siteOf(ctx.app)}/api2/invoice/pestcertificate/${of.key}`
  const said = { number: String(of.number), business: company.name, site: of.site, customer: of.name, link }
  // Marks of direction are strange signs in a message.
  const plain = (key: string) => say(language, `pest.send.${key}`, said).replace(/[\u2066-\u2069]/g, '')
  return {
    customerId: of.customerId,
    mail: of.email ?? '',
    phone: of.mobile ?? '',
    subject: plain('subject'),
    text: plain('text'),
  }
}

/** The mail waits in the list of messages and leaves after the commit, with the sealed paper. */
export async function sendCertificate(
  ctx: Ctx,
  { id, to: given, text }: { id: string; to?: string | undefined; text?: string | undefined },
) {
  const ready = await readyOf(ctx, id)
  const to = mailTo(ready, given)
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by)
    values (${ctx.companyId}, ${messageId}, 'letter', 'mail', ${to}, ${ready.subject},
      ${text?.trim() || ready.text}, ${ready.customerId}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.later('pest.mail', { messageId, treatmentId: id })
  await ctx.audit('pest.send', 'pesttreatments', id, undefined, { to: given ?? '' })
  return { done: true as const }
}

/** WhatsApp messages are sent by people in their own program; that the program was opened is recorded. */
export async function whatsAppCertificate(
  ctx: Ctx,
  { id, to, text }: { id: string; to: string; text?: string | undefined },
) {
  const ready = await readyOf(ctx, id)
  const body = text?.trim() || ready.text
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by, state, sent_at)
    values (${ctx.companyId}, ${newId()}, 'letter', 'whatsapp', ${to || ready.phone || '–'}, ${ready.subject},
      ${body}, ${ready.customerId}, ${ctx.caller.userId}, 'sent',
      ${ctx.now})`.execute(ctx.tx)
  await ctx.audit('pest.send', 'pesttreatments', id, undefined, { to, channel: 'whatsapp' })
  return { url: whatsAppLink(to, body) }
}

export const mailCertificate: Job = (ctx, { messageId, treatmentId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const paper = await certificate(ctx, { id: String(treatmentId) })
    return {
      from: await companyOf(ctx),
      attachments: [
        { filename: paper.name, content: Buffer.from(paper.bytes), contentType: 'application/pdf' },
      ],
    }
  })

/** For the person who has the link of a certificate: its sealed bytes, and nothing of the business beyond them. */
export const openCertificate = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      treatment_id: string
    }>`select company_id, treatment_id from pest_certificates where page_key = ${key}`,
    (inside, { treatment_id: id }) => certificate(inside, { id }),
  )
