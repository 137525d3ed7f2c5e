import { sql } from 'kysely'
import { Failure, fail, failField } from '#kit/describe/errors.ts'
import { allRules } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { PermissionSet } from '../endpoints.ts'
import { isWithin, type Grant } from '../rights.ts'
import { starterNames, starters, type Starter, type StarterName } from '../starters.ts'
import {
  checkedLists,
  grantOf,
  oneWorker,
  refuseBeyond,
  refuseSilentEverything,
  settledOf,
  writeRights,
} from './people.ts'
import { refuseLimitsBeyond, settleLimits, settleLimitsOfSet } from './sumLimits.ts'

const columns = sql`s.id, s.number, s.name, s.starter, s.rules, s.docs_allow as "docsAllow",
    s.hide_total_prices as "hideTotalPrices",
  s.own_customers_only as "ownCustomersOnly", s.hide_nav_header as "hideNavHeader",
  (select count(*) from team t where t.company_id = s.company_id and t.rule_id = s.number)::int as people`

async function find(
  ctx: Ctx,
  by: { id: string } | { number: number } | { starter: string },
): Promise<PermissionSet | undefined> {
  const [column, value] = Object.entries(by)[0]!
  const { rows } =
    await sql<PermissionSet>`select ${columns} from permission_sets s where s.company_id = ${ctx.companyId}
        and ${sql.ref(`s.${column}`)} = ${value}`.execute(ctx.tx)
  return rows[0]
}

async function setById(ctx: Ctx, id: string): Promise<PermissionSet> {
  const set = await find(ctx, { id })
  if (!set) throw fail('kit.notFound')
  return set
}

export async function setNumbered(ctx: Ctx, number: number): Promise<PermissionSet> {
  const set = await find(ctx, { number })
  if (!set) throw failField('ruleId', 'fields.ref')
  return set
}

/** Rules of a ready-made set by their numbers, without those of features that are not there. */
function rulesOf(name: StarterName): number[] {
  const numbers = allRules()
  return starters[name].rules.flatMap((rule) => numbers.get(rule) ?? []).sort((a, b) => a - b)
}
const hides = (name: StarterName): boolean => (starters[name] as Starter).hideTotalPrices ?? false

/** The business's own set that began as a ready-made one; made now when it is the first time. */
export async function takeStarter(ctx: Ctx, name: StarterName): Promise<PermissionSet> {
  const known = await find(ctx, { starter: name })
  if (known) return known
  const { language } = await companyOf(ctx)
  const own = (starters[name] as Starter).ownCustomersOnly ?? false
  return insert(ctx, {
    name: say(language, `team.starters.${name}`),
    starter: name,
    rules: rulesOf(name),
    docsAllow: [],
    hideTotalPrices: hides(name),
    ownCustomersOnly: own,
    hideNavHeader: false,
  })
}

type NewSet = Omit<PermissionSet, 'id' | 'number' | 'people'>

async function insert(ctx: Ctx, set: NewSet): Promise<PermissionSet> {
  refuseBeyond(ctx, set)
  await refuseTwin(ctx, set.name, null)
  const id = newId()
  // The company's row orders those who number at once.
  await sql`select 1 from companies where id = ${ctx.companyId} for update`.execute(ctx.tx)
  await sql`insert into permission_sets (company_id, id, number, name, starter, rules, docs_allow,
      hide_total_prices, own_customers_only, hide_nav_header)
    select ${ctx.companyId}, ${id}, coalesce(max(number), 0) + 1, ${set.name}, ${set.starter},
      ${set.rules}::int[], ${set.docsAllow}::smallint[], ${set.hideTotalPrices},
      ${set.ownCustomersOnly}, ${set.hideNavHeader} from permission_sets
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('permissions.create', 'permissions', id, undefined, set)
  return setById(ctx, id)
}

async function refuseTwin(ctx: Ctx, name: string, id: string | null): Promise<void> {
  const { rows } = await sql`select 1 from permission_sets where company_id = ${ctx.companyId}
        and lower(name) = lower(${name}) and id is distinct from ${id}::uuid`.execute(ctx.tx)
  if (rows.length) throw failField('name', 'team.setKnown')
}

export async function listSets(ctx: Ctx) {
  const { rows } =
    await sql<PermissionSet>`select ${columns} from permission_sets s where s.company_id = ${ctx.companyId}
      order by s.name`.execute(ctx.tx)
  const taken = new Set(rows.map(({ starter }) => starter))
  return {
    rows,
    starters: starterNames
      .filter((name) => !taken.has(name))
      .map((name) => ({ name, rules: rulesOf(name), hideTotalPrices: hides(name) })),
  }
}

type Given = Partial<{
  name: string | undefined
  starter: StarterName | undefined
  rules: number[] | undefined
  docsAllow: number[] | undefined
  hideTotalPrices: boolean | undefined
  ownCustomersOnly: boolean | undefined
  hideNavHeader: boolean | undefined
  everything: boolean | undefined
}>

export async function makeSet(ctx: Ctx, given: Given): Promise<PermissionSet> {
  if (given.starter) return takeStarter(ctx, given.starter)
  if (!given.name) throw failField('name', 'fields.need')
  const set: NewSet = {
    name: given.name,
    starter: null,
    rules: [],
    docsAllow: [],
    hideTotalPrices: given.hideTotalPrices ?? false,
    ownCustomersOnly: given.ownCustomersOnly ?? false,
    hideNavHeader: given.hideNavHeader ?? false,
    ...checkedLists(given),
  }
  refuseSilentEverything(set, undefined, given.everything)
  return insert(ctx, set)
}

/** Changes a set; its people have the new rights with their next call. */
export async function changeSet(
  ctx: Ctx,
  { id, everything, ...given }: Given & { id: string },
): Promise<PermissionSet> {
  const before = await setById(ctx, id)
  const after: PermissionSet = {
    ...before,
    name: given.name ?? before.name,
    hideTotalPrices: given.hideTotalPrices ?? before.hideTotalPrices,
    ownCustomersOnly: given.ownCustomersOnly ?? before.ownCustomersOnly,
    hideNavHeader: given.hideNavHeader ?? before.hideNavHeader,
    ...checkedLists(given),
  }
  // Neither what it gives nor what it gave may be more than the caller's own.
  if (!isWithin(before, grantOf(ctx.caller))) throw fail('team.beyondYours')
  refuseBeyond(ctx, after)
  refuseSilentEverything(after, before, everything)
  await refuseTwin(ctx, after.name, id)
  if (before.people) await refuseOwnSet(ctx, before)
  await sql`update permission_sets set name = ${after.name}, rules = ${after.rules}::int[],
      docs_allow = ${after.docsAllow}::smallint[], hide_total_prices = ${after.hideTotalPrices},
    own_customers_only = ${after.ownCustomersOnly}, hide_nav_header = ${after.hideNavHeader},
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await settleLimitsOfSet(ctx, after.number, before, after)
  const rights = sql`rules = ${after.rules}::int[], docs_allow = ${after.docsAllow}::smallint[],
      hide_total_prices = ${after.hideTotalPrices},
    own_customers_only = ${after.ownCustomersOnly}, hide_nav_header = ${after.hideNavHeader}`
  await sql`update memberships set ${rights} where company_id = ${ctx.companyId} and rule_id = ${after.number}
      and removed_at is null`.execute(ctx.tx)
  await sql`update invitations set ${rights}, updated_at = now() where company_id = ${ctx.companyId}
      and rule_id = ${after.number} and used_at is null and revoked_at is null`.execute(ctx.tx)
  await ctx.audit('permissions.change', 'permissions', id, facts(before), facts(after))
  return setById(ctx, id)
}

/** Nobody changes their own rights, not by way of their set either. */
async function refuseOwnSet(ctx: Ctx, set: PermissionSet): Promise<void> {
  const { rows } =
    await sql`select 1 from memberships where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}
        and rule_id = ${set.number}`.execute(ctx.tx)
  if (rows.length) throw fail('team.yourself')
}

const facts = ({
  name,
  rules,
  docsAllow,
  hideTotalPrices,
  ownCustomersOnly,
  hideNavHeader,
}: Grant & { name: string; hideNavHeader: boolean }) => ({
  name,
  rules,
  docsAllow,
  hideTotalPrices,
  ownCustomersOnly,
  hideNavHeader,
})

export async function removeSet(ctx: Ctx, { id }: { id: string }) {
  const set = await setById(ctx, id)
  if (set.people) throw new Failure('team.setInUse', { count: set.people })
  if (!isWithin(set, grantOf(ctx.caller))) throw fail('team.beyondYours')
  // Somebody who has left may carry the number still; a new set must not get it.
  await sql`update memberships set rule_id = 0 where company_id = ${ctx.companyId}
      and rule_id = ${set.number}`.execute(ctx.tx)
  await sql`delete from permission_sets where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('permissions.remove', 'permissions', id, facts(set))
  return { done: true as const }
}

export async function assignSet(
  ctx: Ctx,
  { id, workers: ids, everything }: { id: string; workers: string[]; everything?: boolean | undefined },
) {
  const set = await setById(ctx, id)
  refuseBeyond(ctx, set)
  const rows = []
  for (const one of new Set(ids)) {
    if (one === ctx.caller.userId) throw fail('team.yourself')
    const person = await oneWorker(ctx, one)
    refuseBeyond(ctx, grantOf(person))
    await refuseLimitsBeyond(ctx, person)
    refuseSilentEverything(set, grantOf(person), everything)
    const { rules, docsAllow, hideTotalPrices, ownCustomersOnly, hideNavHeader } = set
    const rights = {
      ...settledOf(person),
      ruleId: set.number,
      rules,
      docsAllow,
      hideTotalPrices,
      ownCustomersOnly,
      hideNavHeader,
    }
    await writeRights(ctx, person, rights)
    await settleLimits(ctx, person, {}, true)
    await ctx.audit('workers.change', 'workers', one, { setName: person.setName }, { setName: set.name })
    rows.push(await oneWorker(ctx, one))
  }
  return { rows }
}
