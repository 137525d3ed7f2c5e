import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { OutsideAnswer } from '../endpoints.ts'

/** uploaded, sent, opened, or failed when the newest mail did not get through and nobody opened it. */
export const stateOf = sql<
  OutsideAnswer['state']
>`(case when t.opened_at is not null then 'opened' when t.sent_at is null then 'uploaded'
  when (select m.state from messages m where m.company_id = t.company_id and m.outside_id = t.id
  order by m.created_at desc, m.id desc limit 1)
    in ('bounced', 'failed') then 'failed' else 'sent' end)`

export interface StoredOutside {
  id: string
  name: string
  note: string
  pages: number
  size: number
  pageKey: string
  state: OutsideAnswer['state']
  createdAt: string
  by: string | null
  sentAt: string | null
  openedAt: string | null
  archivedAt: string | null
  customerId: string | null
  customerName: string | null
  email: string | null
  language: Language | null
}

export async function loadOutside(ctx: Ctx, id: string, lock = false): Promise<StoredOutside> {
  const { rows } =
    await sql<StoredOutside>`select t.id, t.name, t.note, t.pages, t.size, t.page_key as "pageKey",
        ${stateOf} as state,
      t.created_at as "createdAt", (select u.full_name from users u where u.id = t.created_by) as by,
      t.sent_at as "sentAt",
      t.opened_at as "openedAt", t.archived_at as "archivedAt", t.customer_id as "customerId",
      p.name as "customerName", p.email, p.language
    from outside_documents t left join parties p on p.company_id = t.company_id and p.id = t.customer_id
    where t.company_id = ${ctx.companyId} and t.id = ${id} ${lock ? sql`for update of t` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const urlOf = (ctx: Ctx, d: Pick<StoredOutside, 'pageKey'>): string =>
  `${siteOf(ctx.app)}/outsidedoc/${d.pageKey}`

/** The words of the mail when nobody wrote others, in the customer's language. */
export async function readyMail(ctx: Ctx, d: StoredOutside): Promise<{ subject: string; text: string }> {
  const company = await companyOf(ctx)
  const language = d.language ?? company.language
  const words = { name: d.name, business: company.name, customer: d.customerName ?? '', link: urlOf(ctx, d) }
  return {
    subject: say(language, 'outside.mail.subject', words),
    text: say(language, d.customerName ? 'outside.mail.text' : 'outside.mail.textToNobody', words),
  }
}

export async function bytesOf(ctx: Ctx, id: string): Promise<Buffer> {
  const { rows } = await sql<{
    bytes: Buffer
  }>`select bytes from outside_files where company_id = ${ctx.companyId} and document_id = ${id}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0].bytes
}

/** A name every program can save under. */
export const fileNameOf = (name: string): string =>
  `${
    name
      .replace(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, ' ')
      .trim()
      .slice(0, 120) || 'document'
  }.pdf`
