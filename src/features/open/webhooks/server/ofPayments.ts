import { sql } from 'kysely'
import { machineMoney } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { encrypt } from '#kit/server/rights/vault.ts'
import { keyDigest } from '#features/open/apiKeys/server/index.ts'
import { countWebhooks, mostWebhooks } from './keep.ts'
import { apiVersion } from './version.ts'
import { testEvent, type HappenedEvent } from './body.ts'

/** The events that a payment made by a program sends. */
const events = ['charge.paid', 'charge.declined'] as const

export interface PaymentNotice {
  linkId: string
  /** As `checkUrl` tidied it. */
  url: string
  uniqueId: string
  orderNumber: string
}

/**
 * Keeps which address gets the notices of a payment link, in the name of the key that made it. Notices are signed with
 * what the program has already: the SHA-256 of its secret; the person who makes the same link again only names
 * another address.
 */
export async function tellOfPayment(
  ctx: Ctx,
  { linkId, url, uniqueId, orderNumber }: PaymentNotice,
): Promise<void> {
  const keyId = ctx.caller.apiKey!.id
  const place = new URL(url)
  place.search = ''
  const { rows: known } = await sql<{
    id: string
  }>`select id from webhook_endpoints where company_id = ${ctx.companyId} and key_id = ${keyId}
    and url = ${place.href} and of_payments and archived_at is null`.execute(ctx.tx)
  const endpointId = known[0]?.id ?? (await addPlace(ctx, keyId, place.href))
  await sql`insert into webhook_payments (company_id, link_id, endpoint_id, url, unique_id, order_number)
    values (${ctx.companyId}, ${linkId}, ${endpointId}, ${url}, ${uniqueId}, ${orderNumber})
    on conflict (company_id, link_id) do update set endpoint_id = excluded.endpoint_id,
      url = excluded.url`.execute(ctx.tx)
}

async function addPlace(ctx: Ctx, keyId: string, url: string): Promise<string> {
  if ((await countWebhooks(ctx)) >= mostWebhooks) throw fail('webhooks.tooMany', { most: mostWebhooks })
  const id = newId()
  const secret = `whsec_${(await keyDigest(ctx, keyId)).toString('base64')}`
  const { rows } = await sql<{ id: string }>`insert into webhook_endpoints
      (company_id, id, name, url, events, patterns, payload, api_version, secret_sealed, created_by, key_id,
      of_payments)
    values (${ctx.companyId}, ${id}, 'NotifyUrl', ${url}, ${events}::text[], ${events}::text[], 'thin',
      ${apiVersion},
      ${encrypt(ctx.app.secrets.vault, Buffer.from(secret))}, ${ctx.caller.userId}, ${keyId}, true)
    on conflict (company_id, key_id, url) where of_payments and archived_at is null do update
    set updated_at = now() returning id`.execute(ctx.tx)
  if (rows[0]!.id === id)
    await ctx.audit('webhooks.create', 'webhooks', id, undefined, { url, events: [...events] })
  return rows[0]!.id
}

/** How a notice of a payment travels: as a form, because that is what its readers read. */
export const noticeType = 'application/x-www-form-urlencoded'

const formOf = (values: Record<string, string>): string => new URLSearchParams(values).toString()

/** A value of the program, returned unchanged. */
const own = (metadata: Record<string, unknown>, name: string): string =>
  typeof metadata[name] === 'string' ? metadata[name] : ''

/**
 * Where notices of a payment go, and what they hold. It says nothing but what became of what the program itself asked for,
 * so no right to see charges is needed. Undefined for money that is refunded automatically, and where another
 * address was named since.
 */
export async function noticeOf(
  app: App,
  companyId: string,
  endpoint: { id: string; url: string },
  event: HappenedEvent,
): Promise<{ url: string; body: string } | undefined> {
  if (event.name === testEvent)
    return { url: endpoint.url, body: formOf({ type: event.name, timestamp: event.at }) }
  const { rows } = await asSystem(app.db, (tx) =>
    sql<{
      url: string
      uniqueId: string
      orderNumber: string
      key: string
      agorot: number
      currency: string
      surplus: boolean
      metadata: Record<string, unknown>
      documentId: string | null
      number: number | null
    }>`select p.url, p.unique_id as "uniqueId", p.order_number as "orderNumber", l.page_key as key,
        l.metadata, c.amount_agorot as agorot, c.currency, c.surplus,
        c.paper_id as "documentId", d.number
      from charges c join webhook_payments p on p.company_id = c.company_id and p.link_id = c.link_id
        join payment_links l on l.company_id = c.company_id and l.id = c.link_id left
        join documents d on d.company_id = c.company_id and d.id = c.paper_id
      where c.company_id = ${companyId} and c.id = ${event.entityId}
        and p.endpoint_id = ${endpoint.id}`.execute(tx),
  )
  const [of] = rows
  if (!of || of.surplus) return undefined
  const isPaid = event.name === 'charge.paid'
  const body = formOf({
    UniqueID: of.uniqueId,
    OrderNumber: of.orderNumber,
    transaction_id: event.entityId ?? '',
    status: isPaid ? 'paid' : 'declined',
    TotalPrice: machineMoney(of.agorot),
    Currency: of.currency,
    DocumentID: isPaid ? (of.documentId ?? '') : '',
    docNumber: isPaid && of.number !== null ? String(of.number) : '',
    paymenturl: `${app.publicUrl()}/payment/${of.key}`,
    Fields1: own(of.metadata, 'Fields1'),
    Fields2: own(of.metadata, 'Fields2'),
    Fields3: own(of.metadata, 'Fields3'),
    type: event.name,
    timestamp: event.at,
  })
  return { url: of.url, body }
}
