import { sql } from 'kysely'
import { documentTypes, type PaperLabel } from '#domain/documents/kinds.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { dayCursor } from '#kit/server/data/cursors.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo } from '#features/base/companies/server/index.ts'
import {
  loadDocument,
  openingNumber,
  owedNow,
  paperLabel,
  statementPdf,
} from '#features/sales/documents/server/index.ts'
import { waitingFor } from '#features/sales/signing/server/index.ts'
import { mostInstalmentsOf, terminalFor } from '#features/money/acquirers/server/index.ts'
import { statementOf } from '#features/people/correspondence/server/index.ts'
import type { ToSign } from '../endpoints.ts'
import { answerQuote, checkTogetherPaid, holdingsOf, openOf, payTogether, quotesOf } from './portal.ts'

interface Customer {
  id: string
  name: string
  email: string | null
  phone: string | null
  phones: string[]
  language: 'he' | 'en' | 'ar' | 'ru' | 'fr'
}

/** The customer, or the remaining record after a merge. */
async function customerOf(ctx: Ctx, id: string): Promise<Customer> {
  const { rows } = await sql<Customer>`select c.id, c.name, c.email, coalesce(c.mobile, c.phone) as phone,
      array_remove(array[c.mobile, c.phone], null) as phones, c.language from parties p
    join parties c on c.company_id = p.company_id and c.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.id = ${id} and p.role = 'customer'`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const urlOf = (ctx: Ctx, key: string) => `${siteOf(ctx.app)}/historydoc/${key}`

export async function showPage(ctx: Ctx, { id }: { id: string }) {
  const customer = await customerOf(ctx, id)
  const { rows } = await sql<{
    key: string
    madeAt: string
    sentAt: string | null
    viewedAt: string | null
  }>`select page_key as key, made_at as "madeAt",
    sent_at as "sentAt", viewed_at as "viewedAt" from customer_pages where company_id = ${ctx.companyId}
    and customer_id = ${customer.id}`.execute(ctx.tx)
  const [page] = rows
  return {
    // The page is nothing but figures, of papers of every type.
    url: page && !ctx.caller.hideTotalPrices && !ctx.caller.docsAllow.length ? urlOf(ctx, page.key) : null,
    madeAt: page?.madeAt ?? null,
    sentAt: page?.sentAt ?? null,
    viewedAt: page?.viewedAt ?? null,
    email: customer.email,
    phone: customer.phone,
  }
}

export async function makePage(ctx: Ctx, { id }: { id: string }) {
  const customer = await customerOf(ctx, id)
  await sql`insert into customer_pages (company_id, customer_id, page_key, made_by)
    values (${ctx.companyId}, ${customer.id}, ${newToken()}, ${ctx.caller.userId})
    on conflict (company_id, customer_id) do update set page_key = excluded.page_key, made_at = now(),
      made_by = excluded.made_by, sent_at = null, viewed_at = null`.execute(ctx.tx)
  await ctx.audit('customerPages.make', 'customers', customer.id)
  return showPage(ctx, { id })
}

export async function dropPage(ctx: Ctx, { id }: { id: string }) {
  const customer = await customerOf(ctx, id)
  const { rows } =
    await sql`delete from customer_pages where company_id = ${ctx.companyId} and customer_id = ${customer.id}
      returning 1`.execute(ctx.tx)
  if (rows.length) await ctx.audit('customerPages.drop', 'customers', customer.id)
  return showPage(ctx, { id })
}

export async function sendPage(ctx: Ctx, { id, to }: { id: string; to: string }) {
  if (ctx.caller.docsAllow.length) throw forbidden({ sight: 'documents' })
  const customer = await customerOf(ctx, id)
  // People who may not see the amounts may send them to their owner, and not to themselves.
  if (ctx.caller.hideTotalPrices && to.toLowerCase() !== customer.email?.toLowerCase())
    throw failField('to', 'documents.onlyToCustomer')
  const { rows } = await sql<{
    key: string
  }>`update customer_pages set sent_at = now() where company_id = ${ctx.companyId}
      and customer_id = ${customer.id} returning page_key as key`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const values = {
    business: (await companyOf(ctx)).name,
    customer: customer.name,
    link: urlOf(ctx, rows[0].key),
  }
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id)
    values (${ctx.companyId}, ${messageId}, 'customerPage', 'mail', ${to},
      ${say(customer.language, 'customerPages.mail.subject', values)},
      ${say(customer.language, 'customerPages.mail.text', values)}, ${customer.id})`.execute(ctx.tx)
  await ctx.later('letters.mail', { messageId })
  await ctx.audit('customerPages.send', 'customers', customer.id, undefined, { to })
  return showPage(ctx, { id })
}

const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, customerId: string) => Promise<T>,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      customer_id: string
    }>`select company_id, customer_id from customer_pages where page_key = ${key}`,
    (inside, row) => work(inside, row.customer_id),
  )

const pageSize = 50
const shownTypes = Object.values(documentTypes)
  .filter((type) => type.side === 'sales')
  .map((type) => type.id)

/** What waits for the customer's own signature, with the page of the document it is about. */
async function toSignBy(
  inside: Ctx,
  customer: Customer,
): Promise<(ToSign & { documentKey: string | null })[]> {
  const waiting = await waitingFor(
    inside,
    { customerId: customer.id },
    { emails: [customer.email], phones: customer.phones },
  )
  const ids = waiting.flatMap(({ documentId }) => documentId ?? [])
  const { rows } = await sql<{ id: string; key: string }>`select id, page_key as key from documents
    where company_id = ${inside.companyId} and id = any(${ids}::uuid[]) and ${isIssued()}`.execute(inside.tx)
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  return waiting.map(({ documentId, ...paper }) => ({
    ...paper,
    documentKey: (documentId && keys.get(documentId)) ?? null,
  }))
}

/** The same on the page of one document, for its buyer as the document and the customer card know the buyer. */
export const documentSign = (ctx: OpenCtx, { key }: { key: string }): Promise<{ rows: ToSign[] }> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from documents where page_key = ${key} and ${isIssued()}`,
    async (inside, { id }) => {
      const d = await loadDocument(inside, id)
      const { rows: cards } = await sql<{
        email: string | null
        mobile: string | null
        phone: string | null
      }>`select c.email, c.mobile, c.phone
        from parties p join parties c on c.company_id = p.company_id and c.id = coalesce(p.merged_into, p.id)
        where p.company_id = ${inside.companyId} and p.id = ${d.customer_id}`.execute(inside.tx)
      const [card] = cards
      const rows = await waitingFor(
        inside,
        { documentId: id },
        { emails: [d.customer.email, card?.email], phones: [d.customer.phone, card?.mobile, card?.phone] },
      )
      return { rows: rows.map(({ documentId: _, ...paper }) => paper) }
    },
  )

/** What a customer sees: the customer's documents, the newest first, with what is to be paid of each. */
export const history = (ctx: OpenCtx, { key, before }: { key: string; before?: string | undefined }) =>
  byKey(ctx, key, async (inside, customerId) => {
    const { companyId } = inside
    const company = await companyOf(inside)
    const customer = await customerOf(inside, customerId)
    await sql`update customer_pages set viewed_at = coalesce(viewed_at, now()) where company_id = ${companyId}
        and customer_id = ${customerId} and viewed_at is null`.execute(inside.tx)
    const whose = sql`d.company_id = ${companyId} and ${isIssued('d')}
        and d.type = any(${shownTypes}::int[])
      and d.customer_id in (select p.id from parties p where p.company_id = ${companyId}
      and (p.id = ${customer.id} or p.merged_into = ${customer.id}))`
    const [day, id] = before === undefined ? [] : dayCursor(before, '_', 'before')
    const { rows } = await sql<{
      id: string
      key: string
      date: string
      type: number
      number: number
      label: PaperLabel | null
      opening: string | null
      status: string
      currency: string
      totalAgorot: number
      dueAgorot: number
      dueDate: string | null
    }>`select d.id, d.page_key as key, d.day as date, d.type, d.number, ${paperLabel('d')} as label,
        ${openingNumber('d')} as opening, d.status, d.currency,
        case when d.series like '%#opening' then -d.total_agorot else d.total_agorot end as "totalAgorot",
        coalesce(w.owed_in_currency, 0)::bigint as "dueAgorot", d.due_day as "dueDate"
      from documents d left join ${owedNow(inside, sql`${customer.id}::uuid`)} w on w.id = d.id
      where ${whose} ${day && id ? sql`and (d.day, d.id) < (${day}::date, ${id}::uuid)` : sql``}
      order by d.day desc, d.id desc limit ${pageSize + 1}`.execute(inside.tx)
    const { rows: sums } = await sql<{
      open: number
    }>`select coalesce(sum(d.open_agorot), 0)::bigint as open from documents d where ${whose}`.execute(
      inside.tx,
    )
    const shown = rows.slice(0, pageSize)
    const last = shown.at(-1)
    const isFirst = before === undefined
    const open = isFirst ? await openOf(inside, customer.id) : []
    const terminal = open.length ? await terminalFor(inside) : undefined
    return {
      ...faceOf(company, customer.language),
      language: customer.language,
      customer: customer.name,
      openAgorot: sums[0]!.open,
      rows: shown.map(({ id: _, ...row }) => row),
      next: rows.length > pageSize && last ? `${last.date}_${last.id}` : null,
      toSign: isFirst ? await toSignBy(inside, customer) : [],
      open,
      online: !!terminal,
      test: terminal?.isTest ?? false,
      mostInstalments: terminal ? mostInstalmentsOf(terminal) : 1,
      phonePayment: company.phonePayment,
      thanks: company.thanksText,
      quotes: isFirst ? await quotesOf(inside, customer.id) : [],
      holdings: isFirst ? await holdingsOf(inside, customer.id) : [],
    }
  })

export const payOnPage = payTogether(byKey)
export const checkOnPage = checkTogetherPaid(byKey)
export const answerOnPage = answerQuote(byKey)

/** The statement of account of the year, as the business would send it. */
export const pageStatement = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, customerId) => {
    const { source } = await statementOf(inside, customerId, { kind: 'card' })
    return new Later(async () => ({
      bytes: await statementPdf(source),
      mime: 'application/pdf',
      name: `statement-${source.to}.pdf`,
      inline: true,
    }))
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)
