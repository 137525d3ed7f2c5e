import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { phoneKey } from '#domain/phone.ts'
import type { Ctx } from '#kit/server/context.ts'
import { signerUrl } from './load.ts'

/** A paper whose turn to be signed has come. */
export interface WaitingPaper {
  name: string
  /** The page on which it is signed. */
  url: string
  /** The last day on which it can be. */
  until: string
  /** The document it is about. */
  documentId: string | null
}

/** By what somebody is known: what is empty of it says nothing. */
export interface KnownBy {
  emails: readonly (string | null | undefined)[]
  phones: readonly (string | null | undefined)[]
}

const most = 50

/**
 * Open signatures of a person, among the documents of a customer or about a document. Only links that were created
 * for that person's email or phone are listed: one that was sent to somebody else proves who signed, and stays with
 * them.
 */
export async function waitingFor(
  ctx: Ctx,
  about: { customerId: string } | { documentId: string },
  by: KnownBy,
): Promise<WaitingPaper[]> {
  const emails = new Set(by.emails.flatMap((email) => (email ? [email.trim().toLowerCase()] : [])))
  const phones = new Set(by.phones.flatMap((phone) => (phone && phoneKey(phone) ? [phoneKey(phone)] : [])))
  if (!emails.size && !phones.size) return []
  // Purposes of a document alone, so that the index of purposes is of use.
  const which =
    'documentId' in about
      ? sql`r.purpose in ('', 'document', 'quoteOrder') and r.purpose_id = ${about.documentId}`
      : sql`r.customer_id = ${about.customerId}`
  const { rows } = await sql<{
    name: string
    key: string
    until: string
    documentId: string | null
    email: string | null
    phone: string | null
  }>`select r.name, s.page_key as key, r.expires_at as until, d.id as "documentId", s.email, s.phone
    from sign_requests r
    join sign_signers s on s.company_id = r.company_id and s.request_id = r.id and s.state = 'open'
    left join documents d on d.company_id = r.company_id and d.id = r.purpose_id
    where r.company_id = ${ctx.companyId} and ${which} and r.state in ('sent', 'inProgress')
      and r.expires_at > ${ctx.now.toISOString()}
    order by r.sent_at desc, r.id desc, s.order_no limit 500`.execute(ctx.tx)
  return rows
    .filter(
      ({ email, phone }) =>
        (email && emails.has(email.toLowerCase())) || (phone && phones.has(phoneKey(phone))),
    )
    .slice(0, most)
    .map(({ name, key, until, documentId }) => ({
      name,
      url: signerUrl(ctx, key),
      // It ends at midnight.
      until: dayInJerusalem(new Date(new Date(until).getTime() - 1)),
      documentId,
    }))
}
