import { sql } from 'kysely'
import { withCurrency } from '#domain/format.ts'
import type { z } from 'zod'
import { addMonths, startOfMonth } from '#domain/day.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import { instalmentsOf, payOldest, type Due, type SplitRule } from '#domain/committee/split.ts'
import { fail, failField, Failure } from '#kit/describe/errors.ts'
import { endApproval, ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Schedule } from '#kit/server/work/schedules.ts'
import { attachFile } from '#features/base/files/server/index.ts'
import { ring } from '#features/people/bell/server/index.ts'
import type * as calls from '../endpoints.ts'
import { collectors, flatsOf, houseOf, monthsBetween, splitOrRefuse, tenantKind } from './house.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

interface Rate {
  fromMonth: string
  rule: SplitRule
  agorot: number
}

async function rateAt(ctx: Ctx, buildingId: string, month: string): Promise<Rate | undefined> {
  const { rows } = await sql<Rate>`select from_month as "fromMonth", rule, agorot from committee_rates
      where company_id = ${ctx.companyId} and building_id = ${buildingId}
    and from_month <= ${month} order by from_month desc limit 1`.execute(ctx.tx)
  return rows[0]
}

/** On the 25th the dues of the next month are made. */
const madeOn = (month: string): Date => new Date(`${addMonths(month, -1).slice(0, 8)}25T05:00:00Z`)

export async function setRate(
  ctx: Ctx,
  { id, fromMonth, rule, agorot, floors }: In<typeof calls.setRate>,
): Promise<{ done: true }> {
  await houseOf(ctx, id, true)
  if (floors) await keepFloors(ctx, id, floors)
  // What cannot be split is refused now, not at night.
  splitOrRefuse(await flatsOf(ctx, id), rule, rule === 'own' ? 'own' : agorot)
  await sql`insert into committee_rates (company_id, building_id, from_month, rule, agorot)
    values (${ctx.companyId}, ${id}, ${`${fromMonth}-01`}, ${rule}, ${agorot})
    on conflict (company_id, building_id, from_month) do update
    set rule = excluded.rule, agorot = excluded.agorot`.execute(ctx.tx)
  await orderDues(ctx, id)
  await ctx.audit('committee.setRate', 'committeebuildings', id, undefined, {
    fromMonth,
    rule,
    agorot,
    ...(floors ? { floors } : {}),
  })
  const next = startOfMonth(addMonths(ctx.today, 1))
  const { rows } =
    await sql`update committee_buildings set next_month = ${next} where company_id = ${ctx.companyId}
        and id = ${id} and next_month is null returning 1`.execute(ctx.tx)
  if (rows.length) await ctx.later('committee.month', { buildingId: id, month: next }, madeOn(next))
  return { done: true }
}

/** Stores who orders what the tenants of a house are asked to pay. */
export async function orderDues(ctx: Ctx, buildingId: string): Promise<void> {
  await ordered(ctx, tenantKind, buildingId)
  await endApproval(ctx, tenantKind, buildingId)
}

/** What a flat of each floor bears; months that were made stay as they were. */
async function keepFloors(
  ctx: Ctx,
  id: string,
  floors: NonNullable<In<typeof calls.setRate>['floors']>,
): Promise<void> {
  const twice = floors.findIndex(({ floor }, i) => floors.findIndex((one) => one.floor === floor) !== i)
  if (twice >= 0)
    throw failField(`floors.${twice}.floor`, 'fields.taken', { name: String(floors[twice]!.floor) })
  await sql`delete from committee_floors where company_id = ${ctx.companyId} and building_id = ${id}`.execute(
    ctx.tx,
  )
  for (const { floor, weight } of floors)
    await sql`insert into committee_floors (company_id, building_id, floor, weight)
      values (${ctx.companyId}, ${id}, ${floor}, ${weight})`.execute(ctx.tx)
}

/**
 * Missed months that are charged automatically; of more a person decides, because a house that was away or archived
 * may have had no dues.
 */
const mostMissed = 2

/** The month a house waits for, under its lock; nothing while it waits for none. */
async function awaited(ctx: Ctx, id: string): Promise<{ month: string; name: string } | undefined> {
  const { rows } = await sql<{
    month: string
    name: string
  }>`select next_month as month, name from committee_buildings
    where company_id = ${ctx.companyId} and id = ${id} and next_month is not null and archived_at is null for
    update`.execute(ctx.tx)
  return rows[0]
}

/** Wakes a house on the 25th. Run twice it finds the next month waiting. */
export const chargeMonth: Job = async (ctx, payload) => {
  const id = String(payload.buildingId)
  const house = await awaited(ctx, id)
  if (house && house.month === payload.month) await chargeNext(ctx, id, house)
}

/** Houses whose 25th has come and whose dues were not made, whatever became of the job that should have. */
export const dueHouses: Schedule = {
  table: 'committee_buildings',
  key: 'id',
  alive: sql`t.archived_at is null`,
  at: sql`((t.next_month - interval '1 month')::date + 24 + time '05:00') at time zone 'UTC'`,
  serve: async (ctx, id) => {
    const house = await awaited(ctx, id)
    if (!house || madeOn(house.month) > ctx.now) return false
    await chargeNext(ctx, id, house)
    return true
  },
}

/**
 * The dues of a month, and the next month in its turn. What cannot be split is reported to the collector, and does
 * not delay a later month.
 */
async function chargeNext(
  ctx: Ctx,
  id: string,
  { month: waits, name }: { month: string; name: string },
): Promise<void> {
  const next = startOfMonth(addMonths(ctx.today, 1))
  const last = madeOn(next) <= ctx.now ? next : startOfMonth(ctx.today)
  const missed = monthsBetween(waits.slice(0, 7), last).slice(0, -1)
  const month = missed.length > mostMissed ? last : waits
  const of = (day: string) => `${day.slice(5, 7)}/${day.slice(0, 4)}`
  const tell = async (why: string, said: Record<string, string>) =>
    ring(
      ctx,
      'committee.refused',
      { entity: 'committeebuildings', id },
      { house: name, why, ...said },
      await collectors(ctx),
    )
  if (month !== waits) await tell('missed', { month: of(waits), last: of(missed.at(-1)!) })
  const rate = await rateAt(ctx, id, month)
  if (rate)
    await makeDues(ctx, id, month, rate).catch(async (e: unknown) => {
      // Refused before anything was written; what merely broke is tried again.
      const why = e instanceof Failure ? e.errors[0]?.code.split('.').at(-1) : undefined
      if (!why) throw e
      await tell(why, { month: of(month), last: '' })
    })
  const then = addMonths(month, 1)
  await sql`update committee_buildings set next_month = ${then} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.later('committee.month', { buildingId: id, month: then }, madeOn(then))
}

export async function charge(
  ctx: Ctx,
  { id, from, to }: In<typeof calls.charge>,
): Promise<{ made: number; withoutPayer: number }> {
  await houseOf(ctx, id, true)
  const months = monthsBetween(from, to)
  if (!months.length || months.length > 36) throw failField('to', 'committee.monthsTooMany')
  let [made, withoutPayer] = [0, 0]
  for (const month of months) {
    const rate = await rateAt(ctx, id, month)
    if (!rate) throw failField('from', 'committee.noRate')
    const one = await makeDues(ctx, id, month, rate)
    made += one.made
    withoutPayer += one.withoutPayer
  }
  await ctx.audit('committee.charge', 'committeebuildings', id, undefined, { from, to, made })
  return { made, withoutPayer }
}

/**
 * The dues of one month: each flat once. The person who pays on the first of it is its payer, whatever comes later.
 */
async function makeDues(
  ctx: Ctx,
  buildingId: string,
  month: string,
  { rule, agorot }: Rate,
): Promise<{ made: number; withoutPayer: number }> {
  const flats = await flatsOf(ctx, buildingId)
  const parts = splitOrRefuse(flats, rule, rule === 'own' ? 'own' : agorot, 'from')
  return keepDues(
    ctx,
    flats.map((flat, i) => ({
      flatId: flat.id,
      month,
      kind: 'month',
      agorot: parts[i]!,
      isExempt: flat.isExempt,
      levyId: null,
    })),
  )
}

interface Wanted {
  flatId: string
  month: string
  kind: 'month' | 'levy' | 'opening'
  agorot: number
  isExempt: boolean
  levyId: string | null
}

/** Of no levy. */
const noLevy = '00000000-0000-0000-0000-000000000000'
const whole = 10_000

async function keepDues(
  ctx: Ctx,
  wanted: readonly Wanted[],
): Promise<{ made: number; withoutPayer: number }> {
  if (!wanted.length) return { made: 0, withoutPayer: 0 }
  const { rows: there } = await sql<{
    key: string
  }>`select flat_id || ' ' || kind || ' ' || month || ' ' || levy_id as key from committee_dues
    where company_id = ${ctx.companyId}
      and flat_id = any(${wanted.map((one) => one.flatId)}::uuid[])`.execute(ctx.tx)
  const known = new Set(there.map(({ key }) => key))
  // The payers on the first of the month, each with a part.
  const { rows: payers } = await sql<{
    flatId: string
    customerId: string
    splitBp: number | null
    from: string
    to: string | null
  }>`select flat_id as "flatId", customer_id as "customerId", split_bp as "splitBp", from_day as
    from, to_day as to from committee_people
    where company_id = ${ctx.companyId} and flat_id = any(${wanted.map((one) => one.flatId)}::uuid[]) and pays
      and archived_at is null order by from_day, id`.execute(ctx.tx)
  const fresh = wanted
    .filter((one) => !known.has(`${one.flatId} ${one.kind} ${one.month} ${one.levyId ?? noLevy}`))
    .flatMap((one) => {
      const paying = payers.filter(
        (of) => of.flatId === one.flatId && of.from <= one.month && (of.to === null || of.to >= one.month),
      )
      const bp = paying.map((of) => of.splitBp ?? whole)
      const nobody = whole - bp.reduce((sum, part) => sum + part, 0)
      const parts = nobody > 0 ? [...bp, nobody] : bp
      return splitByLargestRemainder(one.agorot, parts).map((agorot, part) => ({
        ...one,
        agorot,
        part,
        payerId: paying[part]?.customerId ?? null,
      }))
    })
  const { rows } = await sql<{
    flatId: string
    payerId: string | null
    agorot: number
    part: number
  }>`insert into committee_dues (company_id, id, flat_id, kind, month, levy_id, agorot, is_exempt, payer_id,
      part)
    select ${ctx.companyId}, x.id, x.flat_id, x.kind, x.month, x.levy_id, x.agorot, x.is_exempt, x.payer_id,
      x.part
    from jsonb_populate_recordset(null::committee_dues, ${JSON.stringify(
      fresh.map((one) => ({
        id: newId(),
        flat_id: one.flatId,
        kind: one.kind,
        month: one.month,
        levy_id: one.levyId ?? noLevy,
        agorot: one.agorot,
        is_exempt: one.isExempt,
        payer_id: one.payerId,
        part: one.part,
      })),
    )}::jsonb) x on conflict (company_id, flat_id, kind, month, levy_id, part) do nothing
    returning flat_id as "flatId", payer_id as "payerId", agorot, part`.execute(ctx.tx)
  for (const flatId of new Set(rows.filter((row) => row.agorot > 0).map((row) => row.flatId)))
    await spendAhead(ctx, flatId)
  return {
    made: rows.filter((row) => row.part === 0).length,
    withoutPayer: rows.filter((row) => row.payerId === null && row.agorot > 0).length,
  }
}

/**
 * The open dues of a flat that this person pays: the person's own and those of nobody; an owner's money pays what is
 * open of the flat at all.
 */
export async function openFor(ctx: Ctx, flatId: string, customerId: string): Promise<Due[]> {
  const { rows } = await sql<Due>`select d.id, d.month, d.kind, d.agorot - d.paid_agorot as "openAgorot"
      from committee_dues d
    where d.company_id = ${ctx.companyId} and d.flat_id = ${flatId} and d.paid_agorot < d.agorot
      and (d.payer_id is null or d.payer_id = ${customerId}
      or (not exists (select 1 from committee_dues o where o.company_id = d.company_id
      and o.flat_id = d.flat_id and o.payer_id = ${customerId} and o.paid_agorot < o.agorot)
        and exists (select 1 from committee_people p where p.company_id = d.company_id
        and p.flat_id = d.flat_id and p.customer_id = ${customerId} and p.role = 'owner'
        and p.archived_at is null)))
    order by d.id for update of d`.execute(ctx.tx)
  return rows
}

export async function keepPaid(
  ctx: Ctx,
  paymentId: string,
  paid: readonly { id: string; agorot: number }[],
): Promise<void> {
  for (const { id, agorot } of paid) {
    await sql`insert into committee_paid (company_id, payment_id, due_id, agorot)
      values (${ctx.companyId}, ${paymentId}, ${id}, ${agorot})
      on conflict (company_id, payment_id, due_id) do nothing`.execute(ctx.tx)
    await sql`update committee_dues set paid_agorot = paid_agorot + ${agorot}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  }
}

/** What was paid ahead pays what has come since, in the order it was paid. */
async function spendAhead(ctx: Ctx, flatId: string): Promise<void> {
  const { rows } = await sql<{
    id: string
    customerId: string
    ahead: number
  }>`select id, customer_id as "customerId", ahead_agorot as ahead from committee_payments
    where company_id = ${ctx.companyId} and flat_id = ${flatId} and ahead_agorot > 0 and cancelled_at is null
    order by day, created_at, id for update`.execute(ctx.tx)
  for (const { id, customerId, ahead } of rows) {
    const { paid, ahead: left } = payOldest(await openFor(ctx, flatId, customerId), ahead)
    await keepPaid(ctx, id, paid)
    if (left !== ahead)
      await sql`update committee_payments set ahead_agorot = ${left} where company_id = ${ctx.companyId}
          and id = ${id}`.execute(ctx.tx)
  }
}

export async function openingDebt(
  ctx: Ctx,
  { id, flatId, month, agorot }: In<typeof calls.openingDebt>,
): Promise<{ done: true }> {
  await houseOf(ctx, id, true)
  if (!(await flatsOf(ctx, id)).some((flat) => flat.id === flatId)) throw failField('flatId', 'fields.ref')
  const { made } = await keepDues(ctx, [
    { flatId, month: `${month}-01`, kind: 'opening', agorot, isExempt: false, levyId: null },
  ])
  if (!made) throw failField('month', 'fields.taken', { name: month })
  await orderDues(ctx, id)
  await ctx.audit('committee.openingDebt', 'committeebuildings', id, undefined, { flatId, month, agorot })
  return { done: true }
}

/** What each flat would pay of a levy, and in its first instalment; nothing is kept. */
export async function levyShares(ctx: Ctx, { id, rule, agorot, instalments }: In<typeof calls.levyShares>) {
  await houseOf(ctx, id)
  const flats = await flatsOf(ctx, id)
  const parts = splitOrRefuse(flats, rule, agorot)
  return {
    rows: flats.map((flat, i) => ({
      flatId: flat.id,
      entrance: flat.entrance,
      number: flat.number,
      isExempt: flat.isExempt,
      agorot: parts[i]!,
      firstAgorot: instalmentsOf(parts[i]!, instalments)[0]!,
    })),
  }
}

export async function makeLevy(ctx: Ctx, input: In<typeof calls.makeLevy>): Promise<{ id: string }> {
  await houseOf(ctx, input.id, true)
  if (input.agorot > (input.votedAgorot ?? input.agorot))
    throw failField('agorot', 'committee.aboveVote', {
      sum: withCurrency(input.votedAgorot!, 'ILS', ctx.caller.language),
    })
  if (input.votesAgainst >= input.votesFor) throw failField('votesFor', 'committee.votesLost')
  if (input.decidedOn > ctx.today)
    throw failField('decidedOn', 'documents.dateInFuture', { day: input.decidedOn, today: ctx.today })
  const flats = await flatsOf(ctx, input.id)
  const parts = splitOrRefuse(flats, input.rule, input.agorot)
  const levyId = newId()
  const first = `${input.firstMonth}-01`
  await sql`insert into committee_levies (company_id, id, building_id, name, purpose, rule, agorot,
      instalments, first_month, decided_on, votes_for, votes_against, voted_agorot)
    values (${ctx.companyId}, ${levyId}, ${input.id}, ${input.name}, ${input.purpose}, ${input.rule},
      ${input.agorot}, ${input.instalments}, ${first}, ${input.decidedOn}, ${input.votesFor},
      ${input.votesAgainst}, ${input.votedAgorot ?? input.agorot})`.execute(ctx.tx)
  await keepDues(
    ctx,
    flats.flatMap((flat, i) =>
      instalmentsOf(parts[i]!, input.instalments).flatMap((agorot, n): Wanted[] =>
        agorot > 0 || flat.isExempt
          ? [
              {
                flatId: flat.id,
                month: addMonths(first, n),
                kind: 'levy',
                agorot,
                isExempt: flat.isExempt,
                levyId,
              },
            ]
          : [],
      ),
    ),
  )
  for (const fileId of input.fileIds) await attachFile(ctx, fileId, 'committeelevies', levyId)
  await orderDues(ctx, input.id)
  await ctx.audit('committee.levy', 'committeelevies', levyId, undefined, {
    name: input.name,
    agorot: input.agorot,
    instalments: input.instalments,
  })
  return { id: levyId }
}

export async function dropLevy(ctx: Ctx, { id }: In<typeof calls.dropLevy>): Promise<{ done: true }> {
  const { rows } = await sql<{
    buildingId: string
  }>`select building_id as "buildingId" from committee_levies where company_id = ${ctx.companyId}
      and id = ${id} and cancelled_at is null for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await houseOf(ctx, rows[0].buildingId, true)
  const { rows: paid } =
    await sql`select 1 from committee_dues where company_id = ${ctx.companyId} and levy_id = ${id}
        and paid_agorot > 0 limit 1`.execute(ctx.tx)
  if (paid.length) throw fail('committee.levyPaid')
  await sql`delete from committee_dues where company_id = ${ctx.companyId} and levy_id = ${id}`.execute(
    ctx.tx,
  )
  await sql`update committee_levies set cancelled_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('committee.dropLevy', 'committeelevies', id)
  return { done: true }
}
