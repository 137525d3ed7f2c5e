import { sql } from 'kysely'
import { allAreas } from '#kit/describe/area.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { emptyBusiness } from '#kit/server/data/businessTables.ts'
import { asCaller, systemCaller, withKnownId, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import type { MarkedEntity } from '#kit/fields/marks.ts'
import { keepMarks } from '#kit/server/data/marks.ts'
import { sampleId } from '#kit/server/openapi/samples.ts'
import { create, servedNamed } from '#kit/server/described/resources.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { say } from '#kit/server/words.ts'
import { openCompany } from '#features/base/companies/server/index.ts'
import { openBooks } from '#features/base/ledger/server/index.ts'
import { connectTest } from '#features/money/acquirers/server/index.ts'
import { makeKeyNamed } from '#features/open/apiKeys/server/index.ts'
import { tradeCalls } from '#features/open/trade/calls.ts'
import type { Sandbox } from '../endpoints.ts'
import { sampleIds } from '../samples.ts'
import { secondToken } from './steps.ts'

/** What stays when a test business is emptied: who may come in, and with what papers are sealed. */
const kept = ['memberships', 'sessions', 'api_keys', 'signing_certificates', 'logos'] as const

/** The caller's test business; the current one for a caller who works in it already. */
const idOf = async (ctx: Ctx): Promise<string | undefined> => {
  if (await inTestBusiness(ctx)) return ctx.companyId
  return asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`select id from companies where test_of = ${ctx.companyId}`.execute(tx)
    return rows[0]?.id
  })
}

export async function sandboxOf(ctx: Ctx): Promise<Sandbox> {
  const id = await idOf(ctx)
  const isHere = id === ctx.companyId
  if (!id) return { business: null, isHere }
  return asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<NonNullable<Sandbox['business']>>`select c.id, c.name, c.created_at as since,
      (select count(*)::int from documents d where d.company_id = c.id) as documents,
      (select count(*)::int from parties p where p.company_id = c.id and p.role = 'customer') as customers
      from companies c where c.id = ${id}`.execute(tx)
    return { business: rows[0] ?? null, isHere }
  })
}

const testToken = tradeCalls.addcardtoken.sample.Token

/** A few records, so that the examples of the documentation have somebody to be about. */
async function seed(app: App, companyId: string, userId: string): Promise<void> {
  await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const { rows } = await sql<{
      language: 'he'
    }>`select language from companies where id = ${companyId}`.execute(ctx.tx)
    const word = (key: string) => say(rows[0]!.language, `sandbox.start.${key}`)
    const records: [resource: string, values: Record<string, unknown>][] = [
      [
        'customers',
        {
          name: word('customer'),
          email: 'office@customer.example',
          mobile: '050-5550100',
          city: word('city'),
        },
      ],
      ['customers', { name: word('otherCustomer'), email: 'info@other.example' }],
      ['suppliers', { name: word('supplier'), email: 'office@supplier.example' }],
      ['items', { name: word('item'), sku: 'TEST-1', price: '100', vatKind: 'beforeVat' }],
      ['items', { name: word('otherItem'), sku: 'TEST-2', price: '58.5', vatKind: 'includingVat' }],
    ]
    const ids = Object.fromEntries(
      Object.entries(sampleIds).map(([resource, names]) => [resource, [...names]]),
    )
    for (const [resource, values] of records) {
      const names = ids[resource]!
      const record =
        names.length === sampleIds[resource as keyof typeof sampleIds].length ? resource : `${resource}.other`
      const [made] = await withKnownId(sampleId(record), 0, () => create(ctx, servedNamed(resource)!, values))
      await keepMarks(ctx, resource as MarkedEntity, (made as { id: string }).id, {
        externalId: names.shift()!,
      })
    }
    // Cards are tried at the terminal that moves no money; one stood there before, so that the example of
    // bringing a card has something to bring.
    await withKnownId(sampleId('terminals'), 0, () => connectTest(ctx, 12))
    await sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${companyId}, ${testToken}, 'approve', 'visa', '4242', '2040-12'),
        (${companyId}, ${secondToken}, 'approve', 'visa', '4242', '2040-12')
      on conflict do nothing`.execute(ctx.tx)
    await ctx.later('sandbox.samples', { userId })
  })
}

/** Calls of every area can be tried, whichever the business works with. */
const allAreasOn = (): string =>
  JSON.stringify(Object.fromEntries(allAreas().map(({ name }) => [name, true])))

async function open(ctx: Ctx): Promise<string> {
  const id = await asSystem(ctx.app.db, async (tx) => {
    // One at a time: the second finds what the first made.
    await sql`select 1 from companies where id = ${ctx.companyId} for update`.execute(tx)
    const { rows } = await sql<{
      there: string | null
      name: string
      kind: 'company'
      tax_id: string
      email: string
      phone: string
      language: 'he'
    }>`select (select t.id from companies t where t.test_of = c.id) as there, c.name, c.kind, c.tax_id,
        c.email, c.phone, c.language
      from companies c where c.id = ${ctx.companyId}`.execute(tx)
    const real = rows[0]!
    if (real.there) return { id: real.there, isNew: false }
    const name = say(real.language, 'sandbox.start.name', { business: real.name }).replace(
      /[\u2066-\u2069]/g,
      '',
    )
    const made = await openCompany(
      { tx },
      {
        name,
        kind: real.kind,
        taxId: real.tax_id,
        email: real.email,
        phone: real.phone,
        language: real.language,
        demo: true,
      },
      ctx.caller.userId,
    )
    await sql`update companies t set test_of = c.id, trades = c.trades,
        areas_switched = ${allAreasOn()}::jsonb
      from companies c
      where t.id = ${made} and c.id = ${ctx.companyId}`.execute(tx)
    return { id: made, isNew: true }
  })
  if (id.isNew) await seed(ctx.app, id.id, ctx.caller.userId)
  else await letIn(ctx, id.id)
  setImmediate(ctx.app.nudge)
  return id.id
}

/** The person who may make keys of the business works in its test business too. */
const letIn = (ctx: Ctx, id: string): Promise<void> =>
  asSystem(ctx.app.db, async (tx) => {
    await sql`insert into memberships (company_id, user_id, type_id) values (${id}, ${ctx.caller.userId}, 4)
      on conflict do nothing`.execute(tx)
  })

const keyName = 'Sandbox'

export async function openSandbox(ctx: Ctx): Promise<Sandbox & { secret: string }> {
  if (await inTestBusiness(ctx)) throw fail('sandbox.isTest')
  const id = await open(ctx)
  const { secret } = await asCaller(
    ctx.app,
    systemCaller(id, ctx.caller.userId),
    ctx.address,
    async (there) => {
      // Each tab of the documentation makes one; a key that a program works with goes on.
      await sql`update api_keys set revoked_at = now(), updated_at = now()
        where company_id = ${id} and created_by = ${ctx.caller.userId}
      and name = ${keyName} and revoked_at is null and created_at < now() - interval '1 day'
      and (used_at is null or used_at < now() - interval '30 days')`.execute(there.tx)
      return makeKeyNamed(there, keyName)
    },
  )
  await ctx.audit('sandbox.open', 'companies', ctx.companyId)
  return { ...(await sandboxOf(ctx)), secret }
}

async function begin(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<{
    kind: 'company'
    language: 'he'
  }>`select kind, language from companies where id = ${id}`.execute(tx)
  await sql`update memberships set rule_id = default where company_id = ${id}`.execute(tx)
  await emptyBusiness(tx, id, kept)
  await openBooks(tx, id, rows[0]!.kind, rows[0]!.language)
}

export async function emptySandbox(ctx: Ctx): Promise<Sandbox> {
  const isHere = await inTestBusiness(ctx)
  // From the real business only who may make keys does it; in the test business every key that may change,
  // and the person who is in.
  if (!isHere && (ctx.caller.apiKey || !can(ctx.caller, 'apiKeys'))) throw forbidden({ rule: 'apiKeys' })
  const id = await idOf(ctx)
  if (!id) throw fail('sandbox.none')
  await asSystem(ctx.app.db, (tx) => begin(tx, id))
  await seed(ctx.app, id, ctx.caller.userId)
  await ctx.audit('sandbox.empty', 'companies', ctx.companyId)
  return sandboxOf(ctx)
}

export async function discardSandbox(ctx: Ctx): Promise<Sandbox> {
  if (await inTestBusiness(ctx)) throw fail('sandbox.isTest')
  const id = await idOf(ctx)
  if (!id) throw fail('sandbox.none')
  await asSystem(ctx.app.db, async (tx) => {
    await emptyBusiness(tx, id)
    await sql`delete from companies where id = ${id} and test_of = ${ctx.companyId}`.execute(tx)
  })
  await ctx.audit('sandbox.discard', 'companies', ctx.companyId)
  return { business: null, isHere: false }
}
