import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { fail, failField, Failure } from '#kit/describe/errors.ts'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { asCaller, newId, type Caller, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { logRefusalsOf } from '#kit/server/rights/securityLog.ts'
import { reportFor, runReport } from '#kit/server/described/serveReports.ts'
import { companyOf, faceOf } from '#features/base/companies/server/index.ts'
import { countGuess, hashChosen, memberCaller, passwordFits } from '#features/base/session/server/index.ts'
import type { createShare, openShare, Share, shareFace } from '../endpoints.ts'
import type { z } from 'zod'

/** A page of a stranger takes no more than this; a file is what the rest is for. */
const mostRows = 5000
/** Wrong passwords from one source, and from all together. */
const mostTries = 5
const mostInAll = 100
const waitMinutes = 15
const longestMonths = 12

const columns = (ctx: Ctx) => sql`s.id, s.report, s.title, s.page_key as key, s.expires_on as "expiresOn",
    s.frozen is not null as "isFrozen", s.as_of as "asOf",
  u.full_name as by, s.created_at as "createdAt", case when s.taken_back_at is not null then 'takenBack'
  when s.expires_on < ${ctx.today} then 'expired' else 'open' end as state,
  (select count(*)::int from report_share_views v where v.company_id = s.company_id and v.share_id = s.id) as
  views,
  (select max(v.at) from report_share_views v where v.company_id = s.company_id and v.share_id = s.id) as
  "lastViewAt"`

/** People who see a part of the business withdraw only their own shares. */
const mine = (ctx: Ctx) =>
  ctx.caller.rules.length === 0 && !ctx.caller.ownCustomersOnly
    ? sql`true`
    : sql`s.created_by = ${ctx.caller.userId}`

export async function shares(ctx: Ctx, id?: string): Promise<Share[]> {
  const { rows } = await sql<
    Omit<Share, 'url'> & { key: string }
  >`select ${columns(ctx)} from report_shares s join users u on u.id = s.created_by
    where s.company_id = ${ctx.companyId} and ${mine(ctx)}
      and (${id ?? null}::uuid is null or s.id = ${id ?? null}) order by s.created_at desc, s.id
      limit 500`.execute(ctx.tx)
  return rows.map(({ key, ...row }) => ({ ...row, url: `${siteOf(ctx.app)}/protectreport/${key}` }))
}

logRefusalsOf('reportShares.wrongPassword', 'reportShares.wait')

async function oneOf(ctx: Ctx, id: string): Promise<Share> {
  const [found] = await shares(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

/**
 * Shares what the author sees now, and never more than the author may see; where it is frozen the answer is stored
 * as it is.
 */
export async function share(ctx: Ctx, given: z.output<typeof createShare.input>): Promise<Share> {
  const report = await reportFor(ctx, given.report)
  if (given.expiresOn < ctx.today || given.expiresOn > addMonths(ctx.today, longestMonths))
    throw failField('expiresOn', 'reportShares.expiry', { months: longestMonths })
  const answer = await runReport(ctx, report, given.query, mostRows)
  const id = newId()
  const { caller } = ctx
  await sql`insert into report_shares (company_id, id, report, query, title, page_key, password_hash,
      expires_on, frozen, language, hides_sums, own_customers, docs_allow, created_by)
    values (${ctx.companyId}, ${id}, ${report.name}, ${JSON.stringify(given.query)}::jsonb, ${given.title},
      ${randomBytes(24).toString('base64url')},
      ${await hashChosen(given.password, [(await companyOf(ctx)).name])}, ${given.expiresOn},
      ${given.frozen ? JSON.stringify(withoutPaths(answer)) : null}::jsonb, ${caller.language},
      ${caller.hideTotalPrices}, ${caller.ownCustomersOnly}, ${caller.docsAllow}::int[],
      ${caller.userId})`.execute(ctx.tx)
  await ctx.audit('reportShares.create', 'report_shares', id, undefined, {
    report: report.name,
    title: given.title,
    expiresOn: given.expiresOn,
  })
  return oneOf(ctx, id)
}

export async function takeBack(ctx: Ctx, id: string): Promise<Share> {
  const before = await oneOf(ctx, id)
  if (before.state !== 'takenBack') {
    await sql`update report_shares set taken_back_at = now() where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
    await ctx.audit('reportShares.takeBack', 'report_shares', id, undefined, { title: before.title })
  }
  return oneOf(ctx, id)
}

export async function viewsOf(ctx: Ctx, id: string) {
  await oneOf(ctx, id)
  const { rows } = await sql<{
    at: string
    name: string
    address: string
  }>`select at, name, address from report_share_views
    where company_id = ${ctx.companyId} and share_id = ${id} order by at desc limit 500`.execute(ctx.tx)
  return { rows }
}

interface Stored {
  company_id: string
  id: string
  report: string
  query: Record<string, unknown>
  title: string
  password_hash: string
  expires_on: string
  frozen: ReportAnswer | null
  as_of: string
  language: Caller['language']
  hides_sums: boolean
  own_customers: boolean
  docs_allow: number[]
  created_by: string
  taken_back: boolean
}

const stored = (ctx: OpenCtx, key: string): Promise<Stored> =>
  rowOfKey(
    ctx,
    sql<Stored>`select company_id, id, report, query, title, password_hash, expires_on, frozen, as_of,
        language, hides_sums,
        own_customers,
      docs_allow, created_by, taken_back_at is not null as taken_back from report_shares
      where page_key = ${key}`,
  )

/**
 * The author with today's rights, limited to those of the day of sharing; undefined once the author may not open the
 * report.
 */
async function giverOf(ctx: OpenCtx, row: Stored): Promise<Caller | undefined> {
  if (row.taken_back || row.expires_on < ctx.today) return undefined
  const now = await memberCaller(ctx.tx, row.company_id, row.created_by)
  if (!now) return undefined
  const both = row.docs_allow.filter((type) => now.docsAllow.length === 0 || now.docsAllow.includes(type))
  return {
    ...now,
    language: row.language,
    hideTotalPrices: now.hideTotalPrices || row.hides_sums,
    ownCustomersOnly: now.ownCustomersOnly || row.own_customers,
    // Nothing in common is nothing at all, and not everything.
    docsAllow: row.docs_allow.length === 0 ? now.docsAllow : both.length > 0 ? both : [-1],
  }
}

/** Whether the report still opens for its giver. */
const opens = (ctx: OpenCtx, giver: Caller, row: Stored): Promise<boolean> =>
  asCaller(ctx.app, giver, ctx.address, (inside) => reportFor(inside, row.report)).then(
    () => true,
    () => false,
  )

export async function face(ctx: OpenCtx, key: string): Promise<OutputOf<typeof shareFace>> {
  const row = await stored(ctx, key)
  const giver = await giverOf(ctx, row)
  const business = await insideOf(ctx, row.company_id, async (inside) => faceOf(await companyOf(inside)))
  return {
    ...business,
    language: row.language,
    state: giver && (await opens(ctx, giver, row)) ? 'open' : 'ended',
  }
}

/**
 * Counts a try at the password of a share: five wrong ones in a row from one source wait a quarter of an hour, and all
 * sources together have a higher limit, so that one that guesses does not keep the reader out.
 */
async function countOpening(ctx: OpenCtx, { id }: Stored): Promise<() => Promise<void>> {
  try {
    return await countGuess(ctx, 'share', id, {
      each: mostTries,
      all: mostInAll,
      windowSeconds: waitMinutes * 60,
    })
  } catch (e) {
    if (!(e instanceof Failure) || e.code !== 'kit.tooMany') throw e
    throw new Failure('reportShares.wait', e.params, [], e.retryAfter)
  }
}

/** Opens a shared report. Who opened it is written down before anything is shown. */
export async function open(
  ctx: OpenCtx,
  { key, password, name }: z.output<typeof openShare.input>,
): Promise<OutputOf<typeof openShare>> {
  const row = await stored(ctx, key)
  const giver = await giverOf(ctx, row)
  if (!giver) throw fail('reportShares.ended')
  const forget = await countOpening(ctx, row)
  if (!(await passwordFits(row.password_hash, password)))
    throw failField('password', 'reportShares.wrongPassword')
  await forget()
  const answer = await asCaller(ctx.app, giver, ctx.address, async (inside) => {
    const report = await tryReport(inside, row.report)
    await sql`insert into report_share_views (company_id, id, share_id, name, address)
      values (${row.company_id}, ${newId()}, ${row.id}, ${name}, ${ctx.address})`.execute(inside.tx)
    return row.frozen ?? withoutPaths(await runReport(inside, report, row.query, mostRows))
  })
  return {
    title: row.title,
    period: Object.values(answer.filters)
      .filter((day) => typeof day === 'string')
      .toSorted(),
    isFrozen: row.frozen !== null,
    asOf: row.frozen ? row.as_of : ctx.now.toISOString(),
    expiresOn: row.expires_on,
    answer: { ...answer, filters: {} },
  }
}

/** A report that its author may not open any more is not shared any more; other failures are reported as they are. */
async function tryReport(inside: Ctx, name: string) {
  try {
    return await reportFor(inside, name)
  } catch {
    throw fail('reportShares.ended')
  }
}

/**
 * Paths of the application are useless to outsiders and reveal ids; of the filters only the days are shown.
 */
const withoutPaths = (answer: ReportAnswer): ReportAnswer => ({
  ...answer,
  shape: { ...answer.shape, filters: {}, explained: {}, entered: {} },
  filters: Object.fromEntries(
    Object.entries(answer.filters).filter(([name]) => answer.shape.filters[name]?.kind === 'day'),
  ),
  rows: answer.rows.map(({ open: _, ...row }) => row),
})
