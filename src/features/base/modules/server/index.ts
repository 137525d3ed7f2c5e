import { sql } from 'kysely'
import { addDays, endOfMonth } from '#domain/day.ts'
import { allAreas, isAreaOn, type Trade } from '#kit/describe/area.ts'
import { fail } from '#kit/describe/errors.ts'
import { isPaid } from '#kit/describe/module.ts'
import { modules as door } from '#kit/server/http/api.ts'
import { hiddenOf } from '#kit/server/data/areaUse.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import { moduleNamed, modules, trialDays } from '../modules.ts'
import '../rules.ts'

/** What every business may keep, and what the module of room adds to it, in bytes. */
export const plainRoom = 2 * 1024 ** 3
export const moreRoom = 20 * 1024 ** 3

/** In Jerusalem: a module that ends on a day runs to its midnight. */

door.isPaid = async (app, companyId, name) => {
  const module = moduleNamed(name)
  if (!module) return false
  const { rows } = await sql<{
    pluginid: number
    companyid: number
  }>`select m.plugin_id as pluginid, c.client_number as companyid
    from company_modules m join companies c on c.id = m.company_id
    where m.company_id = ${companyId} and m.plugin_id = ${module.id} and m.since <= ${todayThere}
      and (m.ends_on is null or m.ends_on >= ${todayThere})`.execute(app.db.kysely)
  return isPaid(rows, module.id, rows[0]?.companyid ?? 0)
}

async function plugins(ctx: Ctx): Promise<calls.Plugins> {
  const { rows: own } = await sql<{
    number: number
  }>`select client_number as number from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const company = own[0]!.number
  const { rows } = await sql<
    Omit<calls.Plugins['records'][number], 'companyid'>
  >`select plugin_id as pluginid, since, trial_until as "trialUntil",
      price_agorot as "priceAgorot", ends_on as "endsOn" from company_modules
    where company_id = ${ctx.companyId} and (ends_on is null or ends_on >= ${ctx.today})
    order by plugin_id`.execute(ctx.tx)
  return { company, records: rows.map((row) => ({ ...row, companyid: company })) }
}

/** The room for files follows the module of room; run as often as one likes. */
const setRoom = (ctx: Ctx) =>
  sql`update companies c set file_quota_bytes = ${plainRoom}::bigint + case
      when exists (select 1 from company_modules m where m.company_id = c.id
      and m.plugin_id = ${moduleNamed('storage')!.id} and (m.ends_on is null or m.ends_on >= ${ctx.today}))
      then ${moreRoom}::bigint else 0 end
    where c.id = ${ctx.companyId}`.execute(ctx.tx)

const known = (plugin: number) => {
  const module = modules.find(({ id }) => id === plugin)
  if (!module) throw fail('kit.notFound')
  return module
}

async function areasNow(ctx: Ctx): Promise<calls.Areas> {
  const { rows } = await sql<{
    trades: Trade[] | null
    switched: Record<string, boolean>
    kind: string
    told: boolean
  }>`select trades, areas_switched as switched, kind, menu_told as told from companies
    where id = ${ctx.companyId}`.execute(ctx.tx)
  const choice = rows[0]!
  const hidden = new Set(await hiddenOf(ctx.tx, ctx.companyId, ctx.caller.typeId, choice))
  return {
    trades: choice.trades,
    told: choice.told,
    rows: allAreas().map((area) => ({
      name: area.name,
      on: isAreaOn(area, choice),
      shown: !hidden.has(area.name),
      href: area.href,
      chosen: choice.switched[area.name] !== undefined,
    })),
  }
}

export const implementations = [
  implement(calls.listAreas, areasNow),
  implement(calls.chooseAreas, async (ctx, { trades, areas = {}, told }) => {
    if (Object.keys(areas).some((name) => !allAreas().some((area) => area.name === name)))
      throw fail('kit.notFound')
    const before = await areasNow(ctx)
    await sql`update companies set areas_switched = areas_switched || ${JSON.stringify(areas)}::jsonb,
        trades = coalesce(${trades ? [...new Set(trades)] : null}::text[], trades),
        menu_told = menu_told or ${told ?? false}, updated_at = now()
        where id = ${ctx.companyId}`.execute(ctx.tx)
    const after = await areasNow(ctx)
    const on = ({ rows }: calls.Areas) =>
      rows.flatMap((row) => (row.on && row.shown ? [row.name] : [])).join(', ')
    if (on(before) !== on(after))
      await ctx.audit('modules.areas', 'modules', null, { on: on(before) }, { on: on(after) })
    return after
  }),
  implement(calls.listModules, plugins),
  implement(calls.buyModule, async (ctx, { plugin }) => {
    const module = known(plugin)
    // Two presses at once buy once: the company's row is the lock.
    await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
    const running = (await plugins(ctx)).records.find(({ pluginid }) => pluginid === plugin)
    if (running?.endsOn)
      await sql`update company_modules set ends_on = null where company_id = ${ctx.companyId}
          and plugin_id = ${plugin} and ends_on >= ${ctx.today}`.execute(ctx.tx)
    else if (!running)
      // A trial is given once: the person who comes back has had it.
      await sql`insert into company_modules (company_id, id, plugin_id, since, trial_until, price_agorot)
        values (${ctx.companyId}, ${newId()}, ${plugin}, ${ctx.today},
          coalesce((select min(trial_until) from company_modules where company_id = ${ctx.companyId}
          and plugin_id = ${plugin}), ${addDays(ctx.today, trialDays)}::date),
          ${module.priceAgorot})`.execute(ctx.tx)
    if (!running || running.endsOn)
      await ctx.audit('modules.buy', 'modules', null, undefined, { module: module.name })
    await setRoom(ctx)
    return plugins(ctx)
  }),
  implement(calls.cancelModule, async (ctx, { plugin }) => {
    const module = known(plugin)
    const endsOn = endOfMonth(ctx.today)
    const { rows } =
      await sql`update company_modules set ends_on = ${endsOn} where company_id = ${ctx.companyId}
          and plugin_id = ${plugin} and ends_on is null
      returning 1`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
    await ctx.audit('modules.cancel', 'modules', null, undefined, { module: module.name, endsOn })
    // Noon of the day after is after midnight in every season.
    await ctx.later('modules.ended', {}, new Date(`${addDays(endsOn, 1)}T12:00:00Z`))
    return plugins(ctx)
  }),
]

export const jobs: Record<string, Job> = { 'modules.ended': async (ctx) => void (await setRoom(ctx)) }

export const machines: Machines = {
  'modules.ended': { inside: 'what the plan holds' },
}
