import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, type Day } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { allRules, can } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import { invite, removePerson, settleRights } from '#features/base/team/server/index.ts'
import type * as calls from '../endpoints.ts'
import { balanceOf, debtsOf } from './grid.ts'
import { houseOf, type House } from './house.ts'
import { filesIn, gather, zipOf, type Package } from './package.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>
type Out<E extends { output: z.ZodType }> = z.input<E['output']>

/** How long the person who takes a house has for its package. */
const openDays = 60

/** What a committee works with; the person who hands over passes on what they have. */
const rulesOfCommittee = [
  'committee.see',
  'committee.change',
  'committee.decide',
  'customers.see',
  'customers.change',
  'suppliers.see',
  'expenses.see',
  'expenses.enter',
  'files.see',
  'files.change',
]

registerBusinessPage('/vaadhandover', {
  owner: (key) => sql`select company_id from committee_handovers where page_key = ${key}`,
  words: 'committee.handOver.face',
  logo: (key) => `/api2/invoice/vaadhandover/${key}/logo`,
})

/** Lets the next committee into the business, and ends the access of the one before. */
async function moveAccess(ctx: Ctx, { to, email, joins, ends }: In<typeof calls.handOver>): Promise<void> {
  if (joins === 'none' && !ends.length) return
  if (!can(ctx.caller, 'workers.change')) throw forbidden({ rule: 'workers.change' })
  if (joins !== 'none') {
    if (!email) throw failField('email', 'fields.need')
    const rules = rulesOfCommittee
      .filter((rule) => can(ctx.caller, rule))
      .map((rule) => allRules().get(rule)!)
    const rights = await settleRights(
      ctx,
      joins === 'everything' ? { rules: [], everything: true } : { rules, docsAllow: ctx.caller.docsAllow },
      undefined,
    )
    await invite(ctx, { email, fullName: to, typeId: joins === 'everything' ? 4 : 9, subTypeId: 0 }, rights)
  }
  for (const id of new Set(ends)) await removePerson(ctx, id)
}

/**
 * One confirmed step: the state of that day is stored for good, the next treasurer represents the house, the old
 * link of the tenants opens nothing, and the person who takes the house gets a separate page with all of it.
 */
export async function handOver(
  ctx: Ctx,
  input: In<typeof calls.handOver>,
): Promise<Out<typeof calls.handOver>> {
  const { id, to, things, email } = input
  const house = await houseOf(ctx, id, true)
  await moveAccess(ctx, input)
  const balanceAgorot = await balanceOf(ctx, house, ctx.today)
  const debtsAgorot = (await debtsOf(ctx, id, ctx.today)).reduce((sum, one) => sum + one.agorot, 0)
  const pack = await gather(ctx, house)
  const [handOverId, key, closesOn] = [newId(), newToken(), addDays(ctx.today, openDays)]
  const from = house.treasurer || ctx.caller.fullName || '–'
  await sql`insert into committee_handovers (company_id, id, building_id, day, from_name, to_name,
      balance_agorot, debts_agorot, things, given_by, to_email, package, page_key, closes_on)
    values (${ctx.companyId}, ${handOverId}, ${id}, ${ctx.today}, ${from}, ${to}, ${balanceAgorot},
      ${debtsAgorot}, ${things}, ${ctx.caller.userId}, ${email}, ${JSON.stringify(pack)}, ${key},
      ${closesOn})`.execute(ctx.tx)
  await sql`update committee_buildings set treasurer = ${to}, page_key = ${house.pageKey ? newToken() : null},
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const pageUrl = `${siteOf(ctx.app)}/vaadhandover/${key}`
  if (email) await writeTo(ctx, { email, to, from, house, pageUrl, closesOn, balanceAgorot })
  await ctx.audit('committee.handOver', 'committeebuildings', id, undefined, {
    to,
    ...(email ? { email } : {}),
    balanceAgorot,
    debtsAgorot,
    ...(input.joins === 'none' ? {} : { joins: input.joins }),
    ...(input.ends.length ? { ends: input.ends } : {}),
  })
  return { balanceAgorot, debtsAgorot, pageUrl }
}

interface Letter {
  email: string
  to: string
  from: string
  house: House
  pageUrl: string
  closesOn: Day
  balanceAgorot: number
}

async function writeTo(
  ctx: Ctx,
  { email, to, from, house, pageUrl, closesOn, balanceAgorot }: Letter,
): Promise<void> {
  const { language } = await companyOf(ctx)
  const said = {
    name: to,
    from,
    house: house.name,
    link: pageUrl,
    day: formatDay(closesOn),
    sum: formatMoney(balanceAgorot),
  }
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, created_by)
    values (${ctx.companyId}, ${messageId}, 'letter', 'mail', ${email},
      ${say(language, 'committee.mail.handOverSubject', said)},
      ${say(language, 'committee.mail.handOver', said)}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.later('committee.mail', { messageId })
}

interface Stored {
  id: string
  buildingId: string
  day: Day
  at: string
  from: string
  to: string
  by: string | null
  email: string
  balanceAgorot: number
  debtsAgorot: number
  things: string
  package: Partial<Package>
  pageKey: string | null
  closesOn: Day | null
  takenAt: string | null
}

const stored = sql`select h.id, h.building_id as "buildingId", h.day, h.created_at as at, h.from_name as
  from, h.to_name as to, u.full_name as by, h.to_email as email, h.balance_agorot as "balanceAgorot",
    h.debts_agorot as "debtsAgorot", h.things, h.package, h.page_key as "pageKey", h.closes_on as "closesOn",
    h.taken_at as "takenAt"
  from committee_handovers h left join users u on u.id = h.given_by`

const isOpen = (ctx: Ctx, { pageKey, closesOn }: Stored): boolean =>
  pageKey !== null && closesOn !== null && closesOn >= ctx.today

/** Every hand-over of a house, the newest first: who gave what to whom, and whether it was taken. */
export async function handOversOf(
  ctx: Ctx,
  { id }: In<typeof calls.listHandOvers>,
): Promise<Out<typeof calls.listHandOvers>> {
  await houseOf(ctx, id)
  const { rows } = await sql<Stored>`${stored} where h.company_id = ${ctx.companyId} and h.building_id = ${id}
      order by h.created_at desc, h.id desc limit 100`.execute(ctx.tx)
  const decides = can(ctx.caller, 'committee.decide')
  return {
    rows: rows.map((one) => ({
      id: one.id,
      day: one.day,
      at: one.at,
      fromName: one.from,
      toName: one.to,
      byName: one.by,
      email: one.email,
      balanceAgorot: one.balanceAgorot,
      debtsAgorot: one.debtsAgorot,
      things: one.things,
      residents: new Set(one.package.residents?.map(({ customerId }) => customerId)).size,
      papers: filesIn(one.package).length,
      // Hand-overs before there were packages hold none.
      hasPackage: one.package.moves !== undefined,
      pageUrl: decides && isOpen(ctx, one) ? `${siteOf(ctx.app)}/vaadhandover/${one.pageKey}` : null,
      closesOn: isOpen(ctx, one) ? one.closesOn : null,
      takenAt: one.takenAt,
    })),
  }
}

async function oneOf(ctx: Ctx, id: string, hold = false): Promise<{ of: Stored; house: House }> {
  const { rows } = await sql<Stored>`${stored} where h.company_id = ${ctx.companyId}
        and h.id = ${id} ${hold ? sql`for update of h` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { of: rows[0], house: await houseOf(ctx, rows[0].buildingId) }
}

/** The package as files, for the person who sees the house. */
export async function packageOf(ctx: Ctx, { id }: In<typeof calls.handOverPackage>) {
  const { of, house } = await oneOf(ctx, id)
  return packed(ctx, of, house, ctx.caller.language)
}

async function packed(ctx: Ctx, of: Stored, house: House, language: Language) {
  if (!of.package.moves) throw fail('kit.notFound')
  await ctx.audit('committee.package', 'committeebuildings', house.id, undefined, { day: of.day, to: of.to })
  return zipOf(ctx, of.package as Package, { house: house.name, day: of.day, language })
}

/** Closes the page of the person who took the house, or makes it again: the link before opens nothing. */
export async function setHandOverPage(
  ctx: Ctx,
  { id, on }: In<typeof calls.setHandOverPage>,
): Promise<{ url: string | null }> {
  const { of, house } = await oneOf(ctx, id, true)
  if (on && !of.package.moves) throw fail('kit.notFound')
  const key = on ? newToken() : null
  await sql`update committee_handovers
    set page_key = ${key}, closes_on = ${on ? addDays(ctx.today, openDays) : null}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('committee.handOverPage', 'committeebuildings', house.id, undefined, { on, to: of.to })
  return { url: key ? `${siteOf(ctx.app)}/vaadhandover/${key}` : null }
}

const byKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, of: Stored, house: House) => Promise<T>,
): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select h.company_id, h.id from committee_handovers h
      join committee_buildings b on b.company_id = h.company_id and b.id = h.building_id
      where h.page_key = ${key} and h.closes_on >= ${ctx.today} and b.archived_at is null`,
    async (inside, { id }) => {
      const { of, house } = await oneOf(inside, id)
      return work(inside, of, house)
    },
  )

/** What the next committee takes, on a separate page. */
export const handOverPage = (
  ctx: OpenCtx,
  { key }: In<typeof calls.handOverPage>,
): Promise<Out<typeof calls.handOverPage>> =>
  byKey(ctx, key, async (inside, of, house) => {
    const company = await companyOf(inside)
    const { residents = [], debts = [], levies = [], reserveAgorot = 0, rate = null } = of.package
    return {
      ...faceOf(company),
      language: company.language,
      house: house.name,
      address: house.address,
      day: of.day,
      fromName: of.from,
      toName: of.to,
      balanceAgorot: of.balanceAgorot,
      reserveAgorot,
      debtsAgorot: of.debtsAgorot,
      things: of.things,
      rate,
      residents: residents.map(({ flat, name, role, pays }) => ({ flat, name, role, pays })),
      debts,
      levies: levies.map(({ files: _, ...one }) => one),
      papers: filesIn(of.package).length,
      closesOn: of.closesOn!,
      takenAt: of.takenAt,
    }
  })

/** The package of that page as files. */
export const handOverFile = (ctx: OpenCtx, { key }: In<typeof calls.handOverFile>) =>
  byKey(ctx, key, async (inside, of, house) => packed(inside, of, house, (await companyOf(inside)).language))

export const handOverLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

/** The person who takes the house says so, once. */
export const takeHandOver = (
  ctx: OpenCtx,
  { key }: In<typeof calls.takeHandOver>,
): Promise<{ takenAt: string }> =>
  byKey(ctx, key, async (inside, { id, to, takenAt }, house) => {
    if (takenAt) return { takenAt }
    const { rows } = await sql<{
      at: string
    }>`update committee_handovers set taken_at = ${inside.now} where company_id = ${inside.companyId}
        and id = ${id} and taken_at is null returning taken_at as at`.execute(inside.tx)
    if (rows[0])
      await inside.audit('committee.takeHandOver', 'committeebuildings', house.id, undefined, { to })
    return { takenAt: rows[0]?.at ?? inside.now.toISOString() }
  })
