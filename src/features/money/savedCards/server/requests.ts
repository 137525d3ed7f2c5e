import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { asOwn } from '#kit/server/rights/authority.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { fillPlaceholders } from '#kit/server/outside/placeholders.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import {
  cardById,
  chargeOf,
  consentText,
  needKeeping,
  openPage,
  planPage,
  registerPurpose,
  settleCharge,
  terminalFor,
  type Charge,
} from '#features/money/acquirers/server/index.ts'
import { ownWords } from '#features/money/standingOrders/server/index.ts'
import type { CardRequest } from '../endpoints.ts'

/** How long a link for a card can be used. */
const openDays = 30

interface RequestRow {
  id: string
  customer_id: string
  page_key: string
  renews_card_id: string | null
  language: Charge['language']
  state: 'open' | 'done' | 'cancelled'
  card_id: string | null
  expires_on: string
  sent_to: string
  sent_at: string | null
  viewed_at: string | null
}

registerBusinessPage('/savecard', {
  owner: (key) => sql`select company_id from card_requests where page_key = ${key}`,
  words: 'savedCards.pageFace',
  logo: (key) => `/api2/invoice/savecard/${key}/logo`,
})

const requestOf = async (ctx: Ctx, id: string, lock = false): Promise<RequestRow> => {
  const { rows } =
    await sql<RequestRow>`select id, customer_id, page_key, renews_card_id, language, state, card_id,
        expires_on::text, sent_to, sent_at, viewed_at
    from card_requests where company_id = ${ctx.companyId}
      and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

// Only the card is kept: nothing is paid by it, and nothing issued.
registerPurpose('keepCard', {
  lock: async (ctx, charge) => void (await requestOf(ctx, charge.subject_id!, true)),
  isDue: async () => false,
  issue: async () => {
    throw fail('paymentLinks.notPaid')
  },
  paid: async () => {},
  kept: async (ctx, charge, card) => {
    await sql`update card_requests set state = 'done', card_id = ${card.id}
      where company_id = ${ctx.companyId} and id = ${charge.subject_id}`.execute(ctx.tx)
  },
})

const stateOf = (request: RequestRow, today: string): CardRequest['state'] =>
  request.state === 'open' && request.expires_on < today ? 'expired' : request.state

export async function showRequest(ctx: Ctx, id: string): Promise<CardRequest> {
  const request = await requestOf(ctx, id)
  const { rows } = await sql<{
    name: string
    email: string | null
    phone: string | null
  }>`select name, email, coalesce(mobile, phone) as phone from parties
    where company_id = ${ctx.companyId} and id = ${request.customer_id}`.execute(ctx.tx)
  return {
    id,
    url: `${siteOf(ctx.app)}/savecard/${request.page_key}`,
    state: stateOf(request, ctx.today),
    expiresOn: request.expires_on,
    sentTo: request.sent_to,
    sentAt: request.sent_at,
    viewedAt: request.viewed_at,
    customerName: rows[0]!.name,
    email: rows[0]!.email,
    phone: rows[0]!.phone,
  }
}

/** The link of a customer for a new card, or for a replacement: the open one, or a new one. */
export async function makeRequest(
  ctx: Ctx,
  { customerId, renewsCardId }: { customerId: string; renewsCardId?: string | undefined },
): Promise<CardRequest> {
  await needKeeping(ctx, 'savedCards.noTerminal')
  const { rows: people } = await sql<{ language: Charge['language'] | null }>`select language from parties
    where company_id = ${ctx.companyId} and id = ${customerId} and role = 'customer' for update`.execute(
    ctx.tx,
  )
  if (!people[0]) throw fail('kit.notFound')
  const renews = renewsCardId ? await cardById(ctx, renewsCardId) : undefined
  if (renews && renews.customer_id !== customerId) throw fail('kit.notFound')
  const { rows } = await sql<{
    id: string
  }>`select id from card_requests where company_id = ${ctx.companyId} and customer_id = ${customerId}
    and state = 'open' and expires_on >= ${ctx.today} and renews_card_id is not distinct
    from ${renews?.id ?? null} order by created_at desc limit 1`.execute(ctx.tx)
  if (rows[0]) return showRequest(ctx, rows[0].id)
  const id = newId()
  await sql`insert into card_requests (company_id, id, customer_id, page_key, renews_card_id, language,
      expires_on, created_by)
    values (${ctx.companyId}, ${id}, ${customerId}, ${newToken()}, ${renews?.id ?? null},
      ${people[0].language ?? (await companyOf(ctx)).language},
      ${addDays(ctx.today, openDays)}, ${ctx.caller.userId || null})`.execute(ctx.tx)
  await ctx.audit('cardRequests.make', 'customers', customerId)
  return showRequest(ctx, id)
}

async function openRequest(ctx: Ctx, id: string): Promise<RequestRow> {
  const request = await requestOf(ctx, id, true)
  if (stateOf(request, ctx.today) !== 'open') throw fail('savedCards.notOpen')
  return request
}

/** Writes the letter with the link. Answers the message's id. */
export async function letter(
  ctx: Ctx,
  request: RequestRow,
  to: string,
  kind: 'ask' | 'renew' | 'expiring',
  more: Record<string, string> = {},
): Promise<string> {
  const { name } = await companyOf(ctx)
  const values = { business: name, link: `${siteOf(ctx.app)}/savecard/${request.page_key}`, ...more }
  const own = await ownWords(ctx, `card${kind[0]!.toUpperCase()}${kind.slice(1)}`, request.language)
  const said = (part: 'subject' | 'text') =>
    own
      ? fillPlaceholders(own[part], values)
      : say(request.language, `savedCards.mail.${kind}.${part}`, values)
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id)
    values (${ctx.companyId}, ${id}, 'paymentLink', 'mail', ${to}, ${said('subject')}, ${said('text')},
      ${request.customer_id})`.execute(ctx.tx)
  await ctx.later('letters.mail', { messageId: id })
  await sql`update card_requests set sent_at = ${ctx.now}, sent_to = ${to} where company_id = ${ctx.companyId}
      and id = ${request.id}`.execute(ctx.tx)
  return id
}

export async function sendRequest(ctx: Ctx, { id, to }: { id: string; to: string }): Promise<CardRequest> {
  const request = await openRequest(ctx, id)
  const renews = request.renews_card_id ? await cardById(ctx, request.renews_card_id) : undefined
  await letter(
    ctx,
    request,
    to,
    renews ? 'renew' : 'ask',
    renews ? { card: `${renews.brand} ${renews.last4}`.trim() } : {},
  )
  await ctx.audit('cardRequests.send', 'customers', request.customer_id, undefined, { to })
  return showRequest(ctx, id)
}

export async function cancelRequest(ctx: Ctx, id: string): Promise<CardRequest> {
  const request = await openRequest(ctx, id)
  await sql`update card_requests set state = 'cancelled' where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('cardRequests.cancel', 'customers', request.customer_id)
  return showRequest(ctx, id)
}

interface Place {
  company_id: string
  id: string
}
const placeOf = (ctx: OpenCtx, key: string): Promise<Place> =>
  rowOfKey(ctx, sql<Place>`select company_id, id from card_requests where page_key = ${key}`)

const brief = async (ctx: Ctx, id: string | null) => {
  if (!id) return null
  const { rows } = await sql<{
    brand: string
    last4: string
    expiry: string
  }>`select brand, last4, expiry from cards
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return rows[0] ?? null
}

export async function cardPage(ctx: OpenCtx, { key }: { key: string }) {
  const place = await placeOf(ctx, key)
  return insideOf(ctx, place.company_id, async (inside) => {
    const request = await requestOf(inside, place.id)
    await sql`update card_requests set viewed_at = now() where company_id = ${place.company_id}
        and id = ${place.id} and viewed_at is null`.execute(inside.tx)
    const terminal = await terminalFor(inside, undefined, 'ILS', { deed: 'card' })
    const { rows } = await sql<{
      name: string
    }>`select name from parties where company_id = ${place.company_id}
        and id = ${request.customer_id}`.execute(inside.tx)
    return {
      ...faceOf(await companyOf(inside)),
      language: request.language,
      customer: rows[0]?.name ?? '',
      state: stateOf(request, inside.today),
      consent: await consentText(inside, request.language),
      renews: await brief(inside, request.renews_card_id),
      saved: await brief(inside, request.card_id),
      online: terminal !== undefined,
      test: terminal?.isTest ?? false,
    }
  })
}

export async function cardLogo(ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> {
  return insideOf(ctx, (await placeOf(ctx, key)).company_id, getLogo)
}

export async function beginCard(ctx: OpenCtx, { key }: { key: string; agrees: true }) {
  const place = await placeOf(ctx, key)
  const id = await insideOf(ctx, place.company_id, async (inside) => {
    const request = await openRequest(inside, place.id)
    const { rows } = await sql<{
      name: string
      email: string | null
      phone: string | null
    }>`select name, email, coalesce(mobile, phone) as phone
      from parties where company_id = ${place.company_id} and id = ${request.customer_id}`.execute(inside.tx)
    const of = rows[0]
    if (!of) throw failField('customerId', 'fields.ref')
    return planPage(asOwn(inside, 'payerPays'), {
      purpose: 'keepCard',
      deed: 'card',
      subjectId: request.id,
      linkId: null,
      documentId: null,
      customerId: request.customer_id,
      renewsCardId: request.renews_card_id,
      agorot: 0,
      consent: await consentText(inside, request.language),
      description: say(request.language, 'savedCards.formTitle'),
      mostInstalments: 1,
      payer: {
        name: of.name,
        ...(of.email ? { email: of.email } : {}),
        ...(of.phone ? { phone: of.phone } : {}),
      },
      language: request.language,
      page: `${siteOf(ctx.app)}/savecard/${key}`,
    })
  })
  return openPage(ctx.app, place.company_id, id)
}

const outcomes: Readonly<Record<string, 'open' | 'declined' | 'done' | 'inDoubt' | 'lapsed'>> = {
  declined: 'declined',
  inDoubt: 'inDoubt',
  saved: 'done',
  paid: 'done',
  lapsed: 'lapsed',
}

export async function checkCard(
  ctx: OpenCtx,
  { key, charge: chargeId, told }: { key: string; charge: string; told?: string | undefined },
) {
  const place = await placeOf(ctx, key)
  await insideOf(ctx, place.company_id, async (inside) => {
    if ((await chargeOf(inside, chargeId)).subject_id !== place.id) throw fail('kit.notFound')
  })
  if (!(await settleCharge(ctx.app, place.company_id, chargeId, 'return', told)))
    throw fail('paymentLinks.acquirerAway')
  return insideOf(ctx, place.company_id, async (inside) => {
    const charge = await chargeOf(inside, chargeId)
    return { state: outcomes[charge.state] ?? ('open' as const), code: charge.decline_code }
  })
}

export { requestOf, type RequestRow }
