import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { strictText } from '#kit/server/http/strictText.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { RawBody } from '#kit/fields/schema.ts'
import { asCaller, newId, systemCaller, type App, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import type { Job, SystemJob } from '#kit/server/work/jobs.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import { makeOrAdd, ways, type Given, type Source } from '../intake.ts'
import { leadOfGraph, type FacebookLead } from './graph.ts'

interface Secrets {
  appSecret: string
  pageToken: string
}
type Row = Source & { company_id: string; facebook_sealed: Buffer | null }

const secretsOf = (app: App, sealed: Buffer | null): Secrets | undefined =>
  sealed ? (JSON.parse(decrypt(app.secrets.vault, sealed).toString()) as Secrets) : undefined

const openSource = (ctx: OpenCtx, key: string): Promise<Row> =>
  rowOfKey(
    ctx,
    sql<Row>`select company_id, id, name, channel, campaign, kind_id, owner_id, facebook_sealed
      from lead_sources
      where key = ${key} and channel = 'facebook' and is_on and archived_at is null`,
  )

const isSame = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What the app at Facebook shows when it first calls; it follows the key of the source. */
const verifyTokenOf = (app: App, key: string): string =>
  createHmac('sha256', app.secrets.mac).update(`leadfacebook:${key}`).digest('base64url').slice(0, 32)

/** What is set at Facebook and what was set here, for the sheet of a source. */
export const facebookDoor = (app: App, key: string, sealed: Buffer | null) => ({
  callbackUrl: `${app.publicUrl()}/api2/invoice/leadfacebook/${key}`,
  verifyToken: verifyTokenOf(app, key),
  isSet: sealed !== null,
})

export async function setFacebook(
  ctx: Ctx,
  { id, appSecret, pageToken }: { id: string } & Secrets,
): Promise<void> {
  const { rows } = await sql<{ sealed: Buffer | null }>`select facebook_sealed as sealed from lead_sources
    where company_id = ${ctx.companyId} and id = ${id} and channel = 'facebook' for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const before = secretsOf(ctx.app, rows[0].sealed)
  const secrets = {
    appSecret: appSecret || (before?.appSecret ?? ''),
    pageToken: pageToken || (before?.pageToken ?? ''),
  }
  for (const field of ['appSecret', 'pageToken'] as const)
    if (!secrets[field]) throw failField(field, 'fields.need')
  await sql`update lead_sources
    set facebook_sealed = ${encrypt(ctx.app.secrets.vault, Buffer.from(JSON.stringify(secrets)))},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  // What could not be read with the token before is asked again.
  const { rows: unreadOnes } = await sql<{ id: string }>`select id from lead_intakes
    where company_id = ${ctx.companyId} and source_id = ${id} and state = 'toCheck'
      and 'unread' = any (doubts)`.execute(ctx.tx)
  for (const one of unreadOnes) await askFor(ctx.tx, ctx.companyId, one.id)
  await ctx.audit('leadSources.facebook', 'leadSources', id, undefined, {
    newAppSecret: appSecret !== '',
    newPageToken: pageToken !== '',
  })
}

interface Hello {
  key: string
  'hub.mode': string
  'hub.verify_token': string
  'hub.challenge': string
}

/**
 * The first call of Facebook, which asks whether the address is ours: its own word comes back to the person who
 * knows ours.
 */
export async function facebookHello(ctx: OpenCtx, given: Hello): Promise<FileAnswer> {
  await openSource(ctx, given.key)
  if (
    given['hub.mode'] !== 'subscribe' ||
    !isSame(given['hub.verify_token'], verifyTokenOf(ctx.app, given.key))
  )
    throw fail('leads.badVerify')
  return {
    bytes: Buffer.from(given['hub.challenge']),
    mime: 'text/plain; charset=utf-8',
    name: 'challenge.txt',
    inline: true,
  }
}

/** The ids of the leads a notice tells of. */
function leadIdsOf(bytes: Uint8Array): string[] {
  let read: unknown
  try {
    read = JSON.parse(strictText(bytes))
  } catch {
    throw fail('kit.badJson')
  }
  const { entry } = (read ?? {}) as {
    entry?: { changes?: { field?: unknown; value?: { leadgen_id?: unknown } }[] }[]
  }
  const changes = (Array.isArray(entry) ? entry : []).flatMap((one) =>
    Array.isArray(one?.changes) ? one.changes : [],
  )
  const ids = changes.flatMap((one) =>
    one?.field === 'leadgen' ? [String(one.value?.leadgen_id ?? '')] : [],
  )
  return [...new Set(ids.filter((id) => /^\d{1,40}$/.test(id)))].slice(0, 100)
}

/**
 * A notice says only that somebody left a lead. It is stored for checking, so that it is never lost, and its content
 * is fetched from Facebook after the commit. The same lead twice is stored once.
 */
export async function facebookNotice(ctx: OpenCtx, { key, raw }: { key: string; raw: RawBody }) {
  const source = await openSource(ctx, key)
  const secrets = secretsOf(ctx.app, source.facebook_sealed)
  const wanted = createHmac('sha256', secrets?.appSecret ?? '')
    .update(raw.bytes)
    .digest('hex')
  if (!secrets || !isSame(`sha256=${wanted}`, raw.headers['x-hub-signature-256'] ?? ''))
    throw fail('leads.badSignature')
  for (const leadgenId of leadIdsOf(raw.bytes)) {
    const intakeId = newId()
    const isNew = await insideOf(ctx, source.company_id, async (inside) => {
      const { rows } =
        await sql`insert into lead_intakes (company_id, id, source_id, external_id, given, address, state,
            doubts)
        values (${inside.companyId}, ${intakeId}, ${source.id}, ${leadgenId},
          ${JSON.stringify(unread(leadgenId))}::jsonb, ${ctx.address}, 'toCheck', '{unread}')
        on conflict (company_id, source_id, external_id) where external_id is not null do nothing
        returning id`.execute(inside.tx)
      return rows.length > 0
    })
    if (isNew) await askFor(ctx.tx, source.company_id, intakeId)
  }
  return { done: true as const }
}

const askFor = (tx: Tx, companyId: string, intakeId: string): Promise<unknown> =>
  sql`insert into outbox (id, company_id, name, payload)
    values (${newId()}, ${companyId}, 'leads.askFacebook', ${JSON.stringify({ intakeId })})`.execute(tx)

const unreadLeads = dueRows({
  name: 'leads.unread',
  due: (app) => sql`select company_id, id::text as key, at from lead_intakes
    where state = 'toCheck' and 'unread' = any (doubts)
      and at between ${app.now()}::timestamptz - interval '7 days'
      and ${app.now()}::timestamptz - interval '30 minutes'`,
  serve: async (ctx, id) => {
    await askFor(ctx.tx, ctx.companyId, id)
    return 1
  },
})

/**
 * Facebook may be away for longer than a job is tried: what is unread is asked for every hour, for a week.
 */
export const askUnread = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, unreadLeads, { isOver })

const unread = (leadgenId: string): Given => ({
  name: `Facebook ${leadgenId}`,
  phone: '',
  email: '',
  company: '',
  city: '',
  message: '',
  campaign: '',
  own: {},
})

/**
 * The questions Facebook fills in automatically
 * (https://developers.facebook.com/docs/marketing-api/guides/lead-ads/create); every other question is shown as it
 * was asked.
 */
const known = ['full_name', 'first_name', 'last_name', 'email', 'phone_number', 'city', 'company_name']

function givenOf({ id, fields }: FacebookLead): Given {
  const said = (name: string) => (fields.find((one) => one.name === name)?.values.join(', ') ?? '').trim()
  const rest = fields
    .filter(({ name }) => !known.includes(name))
    .map(({ name, values }) => `${name.replaceAll('_', ' ')}: ${values.join(', ')}`)
  return {
    name: (said('full_name') || `${said('first_name')} ${said('last_name')}`.trim() || unread(id).name).slice(
      0,
      200,
    ),
    phone: said('phone_number').slice(0, 40),
    email: said('email').slice(0, 320),
    company: said('company_name').slice(0, 200),
    city: said('city').slice(0, 80),
    message: rest.join('\n').slice(0, 5000),
    campaign: '',
    own: {},
  }
}

/** As a job of the business, so that it can be queued inside it as well. */
export const askFacebookJob: Job = (ctx, { intakeId }) =>
  Promise.resolve(
    ctx.afterCommit!(() => facebookJob(ctx.app, { companyId: ctx.companyId, intakeId: String(intakeId) })),
  )

/**
 * Fetches the content of a lead while no transaction is open, and creates the lead unless a person has decided
 * meanwhile.
 */
export const facebookJob: SystemJob = async (app, { companyId, intakeId }) => {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
    asCaller(app, systemCaller(String(companyId)), '', work)
  const waiting = (ctx: Ctx, isHeld = false) =>
    sql<
      Row & { external_id: string }
    >`select i.external_id, s.company_id, s.id, s.name, s.channel, s.campaign, s.kind_id, s.owner_id,
        s.facebook_sealed
      from lead_intakes i join lead_sources s on s.company_id = i.company_id and s.id = i.source_id
      where i.company_id = ${ctx.companyId} and i.id = ${String(intakeId)} and i.state = 'toCheck'
        and 'unread' = any (i.doubts) ${isHeld ? sql`for update of i` : sql``}`
      .execute(ctx.tx)
      .then(({ rows }) => rows[0])
  const asked = await inside(async (ctx) => {
    const row = await waiting(ctx)
    return row && { row, isTest: await inTestBusiness(ctx) }
  })
  const secrets = asked && secretsOf(app, asked.row.facebook_sealed)
  if (!asked || !secrets) return
  const isSimulated = asked.isTest || app.settings.facebook === 'simulator'
  const given = givenOf(await leadOfGraph(app, isSimulated, asked.row.external_id, secrets.pageToken))
  await inside(async (ctx) => {
    const source = await waiting(ctx, true)
    if (!source) return
    const { phone, email } = ways(given)
    const doubts = phone || email ? [] : ['unreachable']
    await sql`update lead_intakes set given = ${JSON.stringify(given)}::jsonb, doubts = ${doubts}::text[]
      where company_id = ${ctx.companyId} and id = ${String(intakeId)}`.execute(ctx.tx)
    if (!doubts.length) await makeOrAdd(ctx, source, given, String(intakeId))
  })
}
