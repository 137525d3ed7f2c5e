import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { changeRow, create } from '#kit/server/described/resources.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import type { Customer } from '../customers.ts'
import type { Proposal, Registration, Sameness } from '../endpoints.ts'
import { served, servedOnTheWay } from './served.ts'
import { phoneDigits, twinsOf } from './duplicates.ts'

registerBusinessPage('/createcustomer', {
  owner: (key) => sql`select company_id from registration_links where key = ${key} and is_on`,
  words: 'customers.pageFace',
  logo: (key) => `/api2/invoice/createcustomer/${key}/logo`,
})

interface Link {
  key: string
  isOn: boolean
  madeAt: string
}

const linkOf = async (ctx: Ctx): Promise<Link | undefined> =>
  (
    await sql<Link>`select key, is_on as "isOn", made_at as "madeAt" from registration_links
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  ).rows[0]

export async function showLink(ctx: Ctx) {
  const link = await linkOf(ctx)
  return link
    ? { url: `${siteOf(ctx.app)}/createcustomer/${link.key}`, isOn: link.isOn, madeAt: link.madeAt }
    : { url: null, isOn: false, madeAt: null }
}

/** A new key; the person who has the old link finds nothing there any more. */
export async function makeLink(ctx: Ctx) {
  await sql`insert into registration_links (company_id, key, made_by)
    values (${ctx.companyId}, ${newToken()}, ${ctx.caller.userId})
    on conflict (company_id) do update set key = excluded.key, is_on = true, made_at = now(),
      made_by = excluded.made_by`.execute(ctx.tx)
  await ctx.audit('registration.makeLink', 'companies', ctx.companyId)
  return showLink(ctx)
}

export async function switchLink(ctx: Ctx, { isOn }: { isOn: boolean }) {
  const { rows } = await sql`update registration_links set is_on = ${isOn} where company_id = ${ctx.companyId}
      returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('registration.switchLink', 'companies', ctx.companyId, undefined, { isOn })
  return showLink(ctx)
}

const byKey = <T>(ctx: OpenCtx, key: string, work: (inside: Ctx) => Promise<T>): Promise<T> =>
  openPage(
    ctx,
    sql<{ company_id: string }>`select company_id from registration_links where key = ${key} and is_on`,
    work,
  )

export const page = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside) => {
    const company = await companyOf(inside)
    return { ...faceOf(company), language: company.language }
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

/**
 * An unknown person becomes a customer at once. For a person who seems to be known, the input is kept as a proposal:
 * from outside nothing is overwritten, and the answer does not reveal who is a customer of whom.
 */
export const register = (ctx: OpenCtx, { key, consents, ...given }: Registration & { key: string }) =>
  byKey(ctx, key, async (inside) => {
    await throttle(inside.app, `registration of ${inside.companyId}`, 200)
    const twin = (await twinsOf(inside, given))[0]
    if (twin) await propose(inside, twin.id, twin.by, given, consents)
    else await newcomer(inside, given, consents, ctx.language)
    return { done: true as const }
  })

type Given = Omit<Registration, 'consents'>

async function newcomer(ctx: Ctx, given: Given, consents: boolean, language: string): Promise<string> {
  const { id } = (await create(ctx, servedOnTheWay, { ...given, language })) as Customer
  await sql`update parties set source = 'registered' where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  if (consents) await consent(ctx, id, given.name, ctx.address)
  await ctx.audit('customers.register', 'customers', id, undefined, { name: given.name })
  return id
}

const consent = (ctx: Ctx, id: string, by: string, address: string) =>
  sql`update parties set consent_at = ${ctx.now.toISOString()}, consent_how = 'registered',
      consent_by = ${by}, consent_address = ${address}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

async function propose(
  ctx: Ctx,
  partyId: string,
  by: Sameness[],
  given: Given,
  consents: boolean,
): Promise<void> {
  const id = newId()
  const values = JSON.stringify(given)
  // Sent twice, it waits once.
  await sql`insert into customer_proposals (company_id, id, party_id, given, by, consents, address)
    select ${ctx.companyId}, ${id}, ${partyId}, ${values}::jsonb, ${by}, ${consents}, ${ctx.address}
    where not exists (select 1 from customer_proposals p where p.company_id = ${ctx.companyId}
      and p.party_id = ${partyId}::uuid
      and p.decided_at is null and p.given = ${values}::jsonb and p.consents = ${consents})`.execute(ctx.tx)
  await ctx.audit('customers.propose', 'customers', partyId)
}

interface Stored {
  id: string
  at: string
  partyId: string
  given: Given
  by: Sameness[]
  consents: boolean
  address: string
  decidedAt: string | null
}

const columns = sql`c.id, c.created_at as at, c.party_id as "partyId", c.given, c.by, c.consents, c.address,
    c.decided_at as "decidedAt"`
const text = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value)

/** The same number in another dress, or in the other field, is nothing new. */
const isKnownPhone = (field: string, value: unknown, now: Record<string, unknown>): boolean =>
  (field === 'mobile' || field === 'phone') &&
  [now.phone, now.mobile].some((known) => known && phoneDigits(String(known)) === phoneDigits(String(value)))

/** What waits for a decision, the oldest first, each with what would change. */
export async function proposals(ctx: Ctx): Promise<{ rows: Proposal[] }> {
  const { rows } = await sql<Stored>`select ${columns} from customer_proposals c
    where c.company_id = ${ctx.companyId} and c.decided_at is null order by c.created_at limit 100`.execute(
    ctx.tx,
  )
  return {
    rows: await Promise.all(
      rows.map(async ({ id, at, partyId, given, by, consents }) => {
        const now = await oneRow<Record<string, unknown>>(ctx, served, partyId)
        const changes = Object.entries(given).flatMap(([field, value]) =>
          text(value) && text(value) !== text(now[field]) && !isKnownPhone(field, value, now)
            ? [{ field, now: text(now[field]), given: String(value) }]
            : [],
        )
        return { id, at, partyId, name: String(now.name), by, consents, changes }
      }),
    ),
  }
}

export async function decide(ctx: Ctx, { id, take, asNew }: { id: string; take: string[]; asNew: boolean }) {
  const { rows } =
    await sql<Stored>`select ${columns} from customer_proposals c where c.company_id = ${ctx.companyId}
        and c.id = ${id} for update`.execute(ctx.tx)
  const stored = rows[0]
  if (!stored) throw fail('kit.notFound')
  if (stored.decidedAt) throw fail('customers.proposalDecided')
  const { given, partyId, consents, address } = stored
  if (asNew) {
    const { id: made } = (await create(ctx, servedOnTheWay, { ...given })) as Customer
    await sql`update parties set source = 'registered' where company_id = ${ctx.companyId}
        and id = ${made}`.execute(ctx.tx)
    if (consents) await consent(ctx, made, given.name, address)
  } else if (take.length > 0) {
    const values = Object.fromEntries(Object.entries(given).filter(([name]) => take.includes(name)))
    if (Object.keys(values).length > 0) await changeRow(ctx, servedOnTheWay, partyId, values)
    if (consents && take.includes('consent')) await consent(ctx, partyId, given.name, address)
  }
  await sql`update customer_proposals set decided_at = now(), decided_by = ${ctx.caller.userId},
      accepted = ${asNew || take.length > 0}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('customers.decideProposal', 'customers', partyId, undefined, {
    accepted: asNew || take.length > 0,
  })
  return { done: true as const }
}
