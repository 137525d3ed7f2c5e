import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { deal, type DealRule } from '#domain/leads/deal.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { checkMember } from '#features/people/tasks/server/index.ts'
import type { LeadRule } from '../endpoints.ts'
import { readAway, readLoads, readRules } from './intake.ts'
import { handedOver, seen } from './served.ts'

interface Asked {
  from: string
  sourceId: string | null
  stageId: string | null
  most: number | null
  how: 'rules' | 'turn' | 'load'
  people: string[]
}

async function dealt(ctx: Ctx, { from, sourceId, stageId, most, how, people }: Asked) {
  if (how !== 'rules') {
    if (!people.length) throw failField('people', 'fields.need')
    await checkMember(ctx, 'people', people)
  }
  const whose =
    from === 'anybody'
      ? sql`true`
      : from === 'nobody'
        ? sql`t.owner_id is null`
        : sql`t.owner_id = ${from}::uuid`
  const where = sql.join(
    [
      sql`t.company_id = ${ctx.companyId} and t.archived_at is null and t.outcome = 'open'`,
      whose,
      ...seen(ctx),
    ],
    sql` and `,
  )
  const { rows: leads } = await sql<{
    id: string
    name: string
    sourceId: string | null
    kindId: string | null
    city: string
    ownerId: string | null
    from: string | null
  }>`
    select t.id, t.name, t.source_id as "sourceId", t.kind_id as "kindId", t.city, t.owner_id as "ownerId",
      u.full_name as "from" from leads t left join users u on u.id = t.owner_id
    where ${where} and (${sourceId}::uuid is null or t.source_id = ${sourceId}::uuid)
      and (${stageId}::uuid is null or t.stage_id = ${stageId}::uuid)
    order by t.created_at, t.id limit ${most ?? 1000}`.execute(ctx.tx)
  const own: DealRule = {
    id: newId(),
    sourceId: null,
    kindId: null,
    cities: [],
    how: how === 'load' ? 'load' : 'turn',
    people,
    lastPerson: null,
  }
  const rules = how === 'rules' ? await readRules(ctx, true) : [own]
  const loads = await readLoads(ctx)
  // What is dealt again lies on nobody meanwhile.
  for (const { ownerId } of leads) if (ownerId) loads.set(ownerId, (loads.get(ownerId) ?? 1) - 1)
  const to = deal(
    leads.map((one) => ({ ...one, city: fold(one.city) })),
    rules,
    loads,
    await readAway(ctx),
  )
  const { rows: names } = await sql<{
    id: string
    name: string
  }>`select id, full_name as name from users where id = any (${to.map((one) => one.to)}::uuid[])`.execute(
    ctx.tx,
  )
  const byId = new Map(leads.map((one) => [one.id, one]))
  const changes = to.filter((one) => byId.get(one.leadId)!.ownerId !== one.to)
  return {
    changes,
    byId,
    rows: changes.map((one) => ({
      leadId: one.leadId,
      name: byId.get(one.leadId)!.name,
      from: byId.get(one.leadId)!.from,
      toId: one.to,
      to: names.find(({ id }) => id === one.to)?.name ?? '',
    })),
    left: leads.length - to.length,
    to,
    leads,
  }
}

export async function preview(ctx: Ctx, asked: Asked) {
  const { rows, left } = await dealt(ctx, asked)
  return { rows, left }
}

export async function transfer(ctx: Ctx, asked: Asked) {
  const { rows, left, changes, byId, to, leads } = await dealt(ctx, asked)
  if (leads.length && !to.length) throw fail('leads.nobodyThere')
  for (const one of changes) {
    const lead = byId.get(one.leadId)!
    await sql`update leads set owner_id = ${one.to}, updated_at = now() where company_id = ${ctx.companyId}
        and id = ${one.leadId}`.execute(ctx.tx)
    await handedOver(ctx, {
      id: one.leadId,
      name: lead.name,
      from: lead.ownerId,
      to: one.to,
      ruleId: asked.how === 'rules' ? one.ruleId : null,
    })
  }
  if (asked.how === 'rules')
    for (const [ruleId, person] of new Map(to.map((one) => [one.ruleId, one.to])))
      await sql`update lead_rules set last_person = ${person} where company_id = ${ctx.companyId}
          and id = ${ruleId}`.execute(ctx.tx)
  return { rows, left }
}

export async function rulesAndLoads(ctx: Ctx) {
  const [rules, absences, loads] = await Promise.all([
    sql<LeadRule>`select id, name, is_on as "isOn", source_id as "sourceId", kind_id as "kindId", cities, how,
        people from lead_rules
      where company_id = ${ctx.companyId} and archived_at is null order by position, created_at, id`.execute(
      ctx.tx,
    ),
    sql<{
      userId: string
      until: string
    }>`select user_id as "userId", until_day as until from lead_absences where company_id = ${ctx.companyId}
        and until_day >= ${ctx.today}::date`.execute(ctx.tx),
    sql<{
      userId: string
      name: string
      open: number
    }>`select a.id as "userId", a.name, count(l.id)::int as open from agents a left
      join leads l on l.company_id = a.company_id
      and l.owner_id = a.id and l.outcome = 'open' and l.archived_at is null
      where a.company_id = ${ctx.companyId} group by 1, 2 order by 2, 1`.execute(ctx.tx),
  ])
  return { rows: rules.rows, absences: absences.rows, loads: loads.rows }
}

export async function saveRule(
  ctx: Ctx,
  given: Omit<LeadRule, 'id'> & { id?: string | undefined },
): Promise<LeadRule> {
  await checkRef(ctx, 'sourceId', 'lead_sources', given.sourceId)
  await checkRef(ctx, 'kindId', 'lead_kinds', given.kindId)
  await checkMember(ctx, 'people', given.people)
  const id = given.id ?? newId()
  const people = [...new Set(given.people)]
  const { rows } = await (
    given.id
      ? sql`update lead_rules set name = ${given.name}, is_on = ${given.isOn}, source_id = ${given.sourceId},
          kind_id = ${given.kindId}, cities = ${given.cities}::text[], how = ${given.how},
        people = ${people}::uuid[], updated_at = now() where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null returning id`
      : sql`insert into lead_rules (company_id, id, name, is_on, source_id, kind_id, cities, how, people,
          position) values (${ctx.companyId}, ${id}, ${given.name}, ${given.isOn}, ${given.sourceId},
        ${given.kindId}, ${given.cities}::text[], ${given.how}, ${people}::uuid[],
        (select count(*) from lead_rules where company_id = ${ctx.companyId})) returning id`
  ).execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('leadRules.save', 'leadRules', id, undefined, { name: given.name, how: given.how })
  return { ...given, id, people }
}

export async function dropRule(ctx: Ctx, id: string): Promise<void> {
  const { rows } =
    await sql`update lead_rules set archived_at = now() where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('leadRules.drop', 'leadRules', id)
}

export async function setAbsence(
  ctx: Ctx,
  { userId, until }: { userId: string; until: string | null },
): Promise<void> {
  await checkMember(ctx, 'userId', [userId])
  await (
    until
      ? sql`insert into lead_absences (company_id, user_id, until_day)
        values (${ctx.companyId}, ${userId}, ${until}) on conflict (company_id, user_id) do update
        set until_day = excluded.until_day`
      : sql`delete from lead_absences where company_id = ${ctx.companyId} and user_id = ${userId}`
  ).execute(ctx.tx)
  await ctx.audit('leads.absence', 'workers', userId, undefined, { until })
}

const page = 40

export async function handovers(ctx: Ctx, { cursor }: { cursor?: string | undefined }) {
  const [at, last] = momentCursor(cursor)
  const where = sql.join([sql`t.company_id = ${ctx.companyId}`, ...seen(ctx)], sql` and `)
  const { rows } = await sql<{
    id: string
    at: string
    leadId: string
    name: string
    from: string | null
    to: string | null
    by: string | null
    rule: string | null
  }>`select h.id, h.at, t.id as "leadId", t.name,
      f.full_name as "from", o.full_name as "to", u.full_name as by, r.name as rule
    from lead_handovers h join leads t on t.company_id = h.company_id and t.id = h.lead_id left
    join users f on f.id = h.from_user left join users o on o.id = h.to_user
      left join users u on u.id = h.by_user left join lead_rules r on r.company_id = h.company_id
        and r.id = h.rule_id
    where ${where} and h.company_id = ${ctx.companyId} and (h.at, h.id) < (${at}::timestamptz, ${last}::uuid)
    order by h.at desc, h.id desc limit ${page + 1}`.execute(ctx.tx)
  const end = rows.slice(0, page).at(-1)
  return { rows: rows.slice(0, page), nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null }
}
